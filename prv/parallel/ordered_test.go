package parallel

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// Parts of different lengths come out in order, whole, and begin where Begins says; one is longer than a part's buffer.
func TestOrdered(t *testing.T) {
	const parts = 50
	length := func(i int) int {
		if i == 7 {
			return 3 * mostText / 2
		}
		return i * i % 17 * 1000
	}
	var out bytes.Buffer
	o := NewOrdered(&out, parts)
	bufs := make([][]byte, 3)
	err := Each(t.Context(), parts, len(bufs), func(worker, i int) error {
		p := o.Begin(i, bufs[worker])
		defer func() { bufs[worker] = p.End() }()
		for n := length(i); n > 0; n -= 1000 {
			p.Text = append(p.Text, strings.Repeat(string(rune('A'+i)), min(n, 1000))...)
			if err := p.Pass(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || o.Err() != nil {
		t.Fatal(err, o.Err())
	}
	at := 0
	for i := range parts {
		if o.Begins[i] != int64(at) {
			t.Errorf("part %d begins at %d, not %d", i, o.Begins[i], at)
		}
		part := out.Bytes()[at : at+length(i)]
		if n := bytes.Count(part, []byte(string(rune('A'+i)))); n != length(i) {
			t.Errorf("part %d has %d of its %d bytes", i, n, length(i))
		}
		at += length(i)
	}
	if out.Len() != at || o.Length != int64(at) {
		t.Errorf("%d bytes, and %d are said; not %d", out.Len(), o.Length, at)
	}
}

// A part that fails or panics ends, so that the others do not wait for it; an output error is returned.
func TestOrderedEnds(t *testing.T) {
	failure := errors.New("part 3")
	o := NewOrdered(io.Discard, 100)
	err := Each(t.Context(), 100, 4, func(_, i int) error {
		p := o.Begin(i, nil)
		defer p.End()
		if i == 3 {
			return failure
		}
		return nil
	})
	if err != failure {
		t.Errorf("a part fails: %v", err)
	}
	r, w := io.Pipe()
	r.CloseWithError(failure)
	o = NewOrdered(w, 10)
	Each(t.Context(), 10, 4, func(_, i int) error {
		p := o.Begin(i, nil)
		defer p.End()
		p.Text = append(p.Text, "text"...)
		return nil
	})
	if o.Err() != failure {
		t.Errorf("the output fails: %v", o.Err())
	}
}
