package kineto

import "io"

// ahead decompresses on another processor, a few blocks ahead of the parser.
type ahead struct {
	full, empty chan block
	now         block
	stop        chan struct{}
}

// block is some text, with the error that ends the stream after it, if any.
type block struct {
	text, rest []byte // all of its memory, unread
	err        error
}

func readAhead(in io.Reader) *ahead {
	a := &ahead{full: make(chan block, 3), empty: make(chan block, 3), stop: make(chan struct{})}
	for range cap(a.empty) {
		a.empty <- block{text: make([]byte, 256<<10)}
	}
	go a.fill(in)
	return a
}

func (a *ahead) fill(in io.Reader) {
	defer close(a.full)
	for {
		var b block
		select {
		case b = <-a.empty:
		case <-a.stop:
			return
		}
		n, err := io.ReadFull(in, b.text)
		if b.rest, b.err = b.text[:n], err; err == io.ErrUnexpectedEOF && n < len(b.text) {
			// A truncated stream ends like this, too: ask once more.
			if _, again := in.Read(make([]byte, 1)); again != nil {
				b.err = again
			}
		}
		a.full <- b
		if err != nil {
			return
		}
	}
}

func (a *ahead) Read(p []byte) (int, error) {
	for len(a.now.rest) == 0 {
		if a.now.err != nil {
			return 0, a.now.err
		}
		if a.now.text != nil {
			a.empty <- a.now
		}
		a.now = <-a.full
	}
	n := copy(p, a.now.rest)
	a.now.rest = a.now.rest[n:]
	return n, nil
}

// close ends the goroutine; in may then be closed: pending reads fail.
func (a *ahead) close() { close(a.stop) }
