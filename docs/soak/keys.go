//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
)

// special are keys other than characters, as an xterm sends them, except those that leave the viewer (q, Ctrl+C) or
// stop it (Ctrl+Z).
var special = []string{
	"\x1b", "\x1b", "\x1b", "\r", "\r", "\r", "\t", "\x1b[Z", "\x7f", " ",
	"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[1;2C", "\x1b[1;2D", "\x1b[1;5A", "\x1b[1;5B", "\x1b[1;5C",
	"\x1b[1;5D", "\x1b[1;3A", "\x1b[1;3B",
	"\x1b[H", "\x1b[F", "\x1b[1;5H", "\x1b[1;5F", "\x1b[5~", "\x1b[6~", "\x1b[3~",
	"\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~", "\x1b[18~", "\x1b[19~", "\x1b[20~",
	"\x04", "\x05", "\x06", "\x07", "\x0b", "\x0c", "\x0e", "\x0f", "\x12", "\x13", "\x14", "\x15", "\x17", "\x18",
	"\x19",
	"\x1bf", "\x1bk", "\x1bp", "\x1bt", "\x1bw", "\x1bo", "\x1bs", "\x1bd",
}

// commands are sequences of several keys.
var commands = []string{
	"a", "s", "U", "\x1bk", "v", "i", "P", "\x14", "d", "t", "u", "x", "e", "0", "+", "+", "-", "z", "J", "K", "[", "]",
	"*",
	":event MPI\r", ":function Useful\r", ":fold Maximum\r", ":compose Mod 2\r", ":filter size>100\r", ":filter\r",
	":level task\r", ":level cpu\r",
	":view 10% 20%\r", ":view 49.99% 50%\r", ":goto 50%\r", ":rows 1-2\r", ":function = state == 1 && value > 0\r",
	":play\r", ":simulate\r",
	":machine-set latency 25us\r", ":machine-set bandwidth 10\r", ":derive 1 add 1\r", ":critical-path\r", ":analyze\r",
	":statistic Average\r",
}

// random returns the next keys, or a gesture of the mouse.
func random(rng *rand.Rand, columns, rows int) string {
	switch n := rng.IntN(100); {
	case n < 40:
		for {
			if c := byte('!' + rng.IntN('~'-'!'+1)); c != 'q' {
				return string(c)
			}
		}
	case n < 70:
		return special[rng.IntN(len(special))]
	case n < 82:
		return commands[rng.IntN(len(commands))]
	case n < 85:
		return paste(rng)
	}
	return gesture(rng, 1+rng.IntN(columns), 1+rng.IntN(rows))
}

// pasted are texts to paste: wide and combining characters, unterminated control strings, bytes that begin one in
// Latin-1.
var pasted = []string{"goto 10%", "名前と幅", "e\u0301\u0301\u0301", "\u202eevent", "\x1b]0;title", "\x9d0;title",
	"\x90", "a\tb\nc", "\x1b[201", "\x1b[M", "\xf0\x9f"}

// paste returns a bracketed paste; some without an end, or with a truncated one.
func paste(rng *rand.Rand) string {
	text := "\x1b[200~"
	for range 1 + rng.IntN(4) {
		text += pasted[rng.IntN(len(pasted))]
	}
	if n := rng.IntN(10); n > 0 {
		text += "\x1b[201~"
	} else if rng.IntN(2) == 0 {
		text += "\x1b[20"
	}
	return text
}

// pieces cuts keys at random places, even within a sequence or a character, as a slow line delivers them.
func pieces(rng *rand.Rand, keys string) (list []string) {
	for len(keys) > 1 && rng.IntN(4) == 0 {
		n := 1 + rng.IntN(len(keys)-1)
		list, keys = append(list, keys[:n]), keys[n:]
	}
	return append(list, keys)
}

// gesture returns a mouse gesture at a place: a click, a drag, the wheel, a move.
func gesture(rng *rand.Rand, x, y int) string {
	mouse := func(button, x, y int, end byte) string { return fmt.Sprintf("\x1b[<%d;%d;%d%c", button, x, y, end) }
	shift := []int{0, 0, 0, 4, 8, 16}[rng.IntN(6)] // none, Shift, Alt, Ctrl
	button := rng.IntN(3)
	switch rng.IntN(4) {
	case 0:
		return mouse(64+rng.IntN(4)+shift, x, y, 'M') // a wheel
	case 1:
		const drag = 32
		to := 1 + rng.IntN(2*x)
		return mouse(button, x, y, 'M') + mouse(button+drag, (x+to)/2, y, 'M') + mouse(button+drag, to, y,
			'M') + mouse(button, to, y, 'm')
	case 2:
		return mouse(35, x, y, 'M')
	}
	return mouse(button+shift, x, y, 'M') + mouse(button+shift, x, y, 'm')
}
