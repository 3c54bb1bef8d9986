package cli

import (
	"context"
	"fmt"

	"pview/prv"
)

// open reads a trace, shows the progress, and tells on standard error what was
// left out of it.
func (a *app) open(ctx context.Context, path string) (*prv.Trace, error) {
	bar := newProgress(a.Err, "reading "+path)
	t, err := prv.Open(ctx, path, prv.Options{Strict: a.strict, Progress: bar.report})
	bar.close()
	if err != nil {
		return nil, err
	}
	for _, line := range remarks(t) {
		a.say("%s", line)
	}
	return t, nil
}

// remarks are the lines that tell what was not read of a trace, one for each
// kind of thing: bad records, the missing end of the file, bad lines of the
// .pcf or .row.
func remarks(t *prv.Trace) (lines []string) {
	if n := t.Skipped.Total(); n > 0 {
		first := t.Skipped.First
		lines = append(lines, fmt.Sprintf("%s:%d: %s (%s left out)", t.Path, first.Line, first, plural(n, "bad record")))
	}
	if t.Cut != nil {
		lines = append(lines, fmt.Sprintf("%s:%d: %s; what stands before it was read", t.Path, t.Cut.Line, t.Cut.Why))
	}
	if n := len(t.Notes); n > 1 {
		lines = append(lines, fmt.Sprintf("%s (and %s more)", t.Notes[0], plural(int64(n-1), "remark")))
	} else if n == 1 {
		lines = append(lines, t.Notes[0].String())
	}
	return lines
}
