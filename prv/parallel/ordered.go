package parallel

import (
	"io"
	"sync"
)

// Ordered writes texts that several goroutines make, one after the other.
type Ordered struct {
	Begins []int64 // where each part begins, relative to the first
	Length int64   // bytes written

	w    io.Writer
	err  error
	mu   sync.Mutex
	turn sync.Cond
	now  int // the part that may be written
}

// NewOrdered prepares for a number of parts.
func NewOrdered(w io.Writer, parts int) *Ordered {
	o := &Ordered{Begins: make([]int64, parts), w: w}
	o.turn.L = &o.mu
	return o
}

// Err returns the first error of the writer.
func (o *Ordered) Err() error { return o.err }

// Part is a part of the text, which is appended to Text.
type Part struct {
	Text   []byte
	to     *Ordered
	number int
	asked  int // length of the text when it last asked for its turn
}

const (
	// someText is the number of bytes that are written at a time.
	someText = 64 << 10
	// mostText is the number of bytes that a part keeps while others are written.
	mostText = 8 << 20
)

// Begin begins a part, with a buffer for it. Parts must begin in order, as Each does, and each must be ended: later
// parts wait for that.
func (o *Ordered) Begin(part int, buf []byte) *Part { return &Part{Text: buf[:0], to: o, number: part} }

// Pass is called after each line: it passes text on if it is the part's turn; with much text, it waits for the turn.
func (p *Part) Pass() error {
	if len(p.Text)-p.asked < someText {
		return nil
	}
	err := p.pass(mostText)
	p.asked = len(p.Text)
	return err
}

func (p *Part) pass(keep int) error {
	o := p.to
	o.mu.Lock()
	for o.now != p.number && len(p.Text) > keep {
		o.turn.Wait()
	}
	mine := o.now == p.number
	o.mu.Unlock()
	if !mine {
		return nil
	}
	if o.err == nil && len(p.Text) > 0 {
		_, o.err = o.w.Write(p.Text)
	}
	o.Length += int64(len(p.Text))
	p.Text = p.Text[:0]
	return o.err
}

// End passes on the rest and returns the buffer.
func (p *Part) End() []byte {
	p.pass(-1)
	o := p.to
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.now++; o.now < len(o.Begins) {
		o.Begins[o.now] = o.Length
	}
	o.turn.Broadcast()
	return p.Text
}
