package dimemas

import (
	"context"
	"io"

	"pview/sim"
)

// ReadProgram is readProgram without a limit of memory.
func ReadProgram(ctx context.Context, r io.Reader, name string) (*sim.Program, error) {
	return readProgram(ctx, r, name, 0)
}
