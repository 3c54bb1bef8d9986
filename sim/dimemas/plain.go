package dimemas

import "bytes"

// plainRecords takes the usual records at the beginning of the buffer: of the owner, with unsigned numbers and no
// blanks. Any other line, and one that is not whole in the buffer, is left to readLine.
func (d *dimReader) plainRecords() {
	text, _ := d.in.Peek(d.in.Buffered())
	taken := 0
	for {
		n := d.plainRecord(text[taken:])
		if n == 0 {
			break
		}
		taken += n
		d.line++
	}
	taken, _ = d.in.Discard(taken)
	d.next += int64(taken)
	d.at = d.next
}

// plainRecord takes a record at the beginning of the text and returns its length with the newline; 0: not taken.
func (d *dimReader) plainRecord(text []byte) int {
	c := cursor{text: text}
	kind, ok := c.number()
	if !ok || !c.skipText(d.owner) {
		return 0
	}
	var v [5]int64
	switch kind {
	case 1:
		end := bytes.IndexByte(text[c.at:], '\n')
		if end < 0 || d.addBurst(text[c.at:c.at+end]) != "" {
			return 0
		}
		return c.at + end + 1
	case 2, 3: // partner, any thread of it, size, tag, match, and the kind of send or receive
		kinds := sendKinds[:]
		if kind == 3 {
			kinds = receiveKinds[:]
		}
		if !c.numbers(v[:1]) || !c.skipText(anyThread) || !c.numbers(v[1:]) || !c.skip('\n') ||
			d.addMessage(kinds, "", v[0], v[1], v[2], v[3], v[4]) != "" {
			return 0
		}
	case 20: // type, value
		if !c.numbers(v[:2]) || !c.skip('\n') || d.addEvent(v[0], v[1]) != "" {
			return 0
		}
	default:
		return 0
	}
	return c.at
}

var anyThread = []byte(":-1:")

func (c *cursor) skipText(text []byte) bool {
	if !bytes.HasPrefix(c.text[c.at:], text) {
		return false
	}
	c.at += len(text)
	return true
}

// numbers reads numbers with a colon between them.
func (c *cursor) numbers(to []int64) bool {
	for i := range to {
		v, ok := c.number()
		if !ok || i+1 < len(to) && !c.skip(':') {
			return false
		}
		to[i] = v
	}
	return true
}
