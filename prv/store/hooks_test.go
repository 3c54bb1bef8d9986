package store

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"pview/prv/model"
)

// hooks are functions of package prv, which reads headers; it imports this package.
var hooks struct {
	read func(context.Context, io.Reader, Options) (*model.Trace, error)
	head func(text string) (h model.Header, lines int64, err error)
}

// readSized reads a text as a file.
func readSized(ctx context.Context, text string, opt Options) (*model.Trace, error) {
	opt.Size = int64(len(text))
	return hooks.read(ctx, strings.NewReader(text), opt)
}

// readerOf returns a reader of a file with the text, after the header.
func readerOf(t *testing.T, text string, opt Options) *Reader {
	t.Helper()
	head, lines, err := hooks.head(text)
	if err != nil {
		t.Fatal(err)
	}
	opt.Size = int64(len(text))
	r := NewReader(strings.NewReader(text), opt)
	r.Text, r.Head, r.Line = bufio.NewReader(r.Src), head, lines
	for range lines {
		r.Text.ReadString('\n')
	}
	return r
}

// SetHooks sets the hooks.
func SetHooks(read func(context.Context, io.Reader, Options) (*model.Trace, error),
	head func(text string) (model.Header, int64, error)) {
	hooks.read, hooks.head = read, head
}
