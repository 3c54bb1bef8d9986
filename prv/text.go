package prv

// The text of a trace, for the trace tools: they read it line by line and copy most of it unchanged. It takes the
// memory of a few chunks, for a trace of any size.
//
// Text delivers chunks of whole lines, to one goroutine at a time; Lines parses the records of a chunk in place, by the
// parser's rules, and skips the same bad records.

import (
	"context"
	"io"
	"os"
	"pview/prv/store"
)

// Text is a trace whose header has been read, but not its body.
type Text struct {
	Header
	file   *os.File
	reader *store.Reader
	chunks store.Chunker
}

// OpenText opens the trace at path, a .prv or a .prv.gz, and reads its header. opt.Progress gets the number of bytes of
// the file read. The error is as in Open.
func OpenText(path string, opt store.Options) (*Text, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	opt.Name, opt.Size = path, size
	t, err := NewText(f, opt)
	if err != nil {
		f.Close()
		return nil, err
	}
	t.file = f
	return t, nil
}

// NewText reads the header of a trace from r, plain or gzip-compressed.
func NewText(src io.Reader, opt store.Options) (*Text, error) {
	r := store.NewReader(src, opt)
	if err := openText(r); err != nil {
		return nil, err
	}
	if err := readHeader(r); err != nil {
		return nil, err
	}
	return &Text{Header: r.Head, reader: r, chunks: r.Chunks()}, nil
}

// Next reads the next chunk of whole lines into buf, or into a larger buffer, and returns text and buffer. At the end
// the text is empty and the error nil.
func (t *Text) Next(ctx context.Context, buf []byte) (text, grown []byte, err error) {
	return t.chunks.Next(ctx, buf)
}

// HeaderLines returns the number of lines before the body.
func (t *Text) HeaderLines() int64 { return t.reader.Line }

// Cut returns, after the last chunk, where a truncated file ends; nil for a complete one.
func (t *Text) Cut() *Cut { return t.reader.Cut }

// Close closes the file.
func (t *Text) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// NewBodyText returns the text of a trace with a known header and the body from r.
func NewBodyText(r io.Reader, h Header) (*Text, error) {
	t := store.NewReader(r, store.Options{Name: "trace"})
	t.Head = h
	if err := openText(t); err != nil {
		return nil, err
	}
	return &Text{Header: h, reader: t, chunks: t.Chunks()}, nil
}
