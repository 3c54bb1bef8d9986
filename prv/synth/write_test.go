package synth

import (
	"context"
	"errors"
	"testing"
)

// fullDevice accepts some bytes before its writes fail.
type fullDevice struct{ room int }

var errFull = errors.New("no space left on device")

func (d *fullDevice) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A write error stops the generated program at its next iteration.
func TestWriteStopsWhenTheDeviceIsFull(t *testing.T) {
	g, err := New(Options{Iterations: 5000})
	if err != nil {
		t.Fatal(err)
	}
	counting, made := *g.pattern, 0
	counting.iterate = func(e *engine, i int) {
		made++
		g.pattern.iterate(e, i)
	}
	for _, c := range []struct{ room, most int }{
		{0, 500}, // 256 KB are written at a time, of the 30 MB of 5000 iterations
		{3 << 20, 1000},
		{1 << 30, 5000},
	} {
		made = 0
		writing := *g
		writing.pattern = &counting
		err := writing.Write(context.Background(), &fullDevice{room: c.room})
		if full := c.room < 1<<30; errors.Is(err, errFull) != full || made > c.most {
			t.Errorf("room for %d bytes: %v after %d iterations, want at most %d", c.room, err, made, c.most)
		}
	}
}
