//go:build !purego

package store

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// fastFields: the processor has the instructions of the assembly.
var fastFields = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// splitAVX2 stores the ends of fields, the number of fields up to the end of each line, and the odd bytes of n bytes of
// text, which begins at position at. It reads and stores up to 63 extra values.
//
//go:noescape
func splitAVX2(text *byte, n int, at uint32, ends, lines, odd *uint32) (fields, nLines, nOdd int)

// readAVX2 reads up to n fields, whose ends are in ends, eight at a time, until one has more than 16 digits.
//
//go:noescape
func readAVX2(text *byte, ends *uint32, n int, numbers *uint64, low *uint32, big *byte) (read int)

// readFields is readPlain with the assembly.
func readFields(b []byte, from, to int, f *fields, low []uint32) (n, nLines, nOdd int) {
	if !fastFields || from == to {
		return readPlain(b, from, to, f, low)
	}
	_ = b[:to+Pad]
	f.ends[0] = uint32(from - 1)
	n, nLines, nOdd = splitAVX2(&b[from], to-from, uint32(from), &f.ends[1], &f.lines[0], &f.odd[0])
	big := unsafe.Slice((*byte)(unsafe.Pointer(&f.big[0])), 8*len(f.big))
	for i := 0; i < n; {
		if n-i >= 8 && f.ends[i+1] >= longest {
			_, _, _ = f.numbers[n-1], low[n-1], big[n/8]
			i += readAVX2(&b[0], &f.ends[i+1], n-i, &f.numbers[i], &low[i], &big[i>>3])
		}
		// The remaining fields, fields that are too long, and those at the very start of the text.
		for to := min(i+8, n); i < to; i++ {
			v := readOne(b, int(f.ends[i]+1), int(f.ends[i+1]))
			f.numbers[i], low[i] = v, uint32(v)
			bit := byte(1) << (i & 7)
			if big[i>>3] &^= bit; v>>31 != 0 {
				big[i>>3] |= bit
			}
		}
	}
	return n, nLines, nOdd
}

// readOne reads the field b[from:to].
func readOne(b []byte, from, to int) (v uint64) {
	if to-from > longest {
		return notRead
	}
	for _, c := range b[from:to] {
		v = 10*v + uint64(c-'0')
	}
	return v
}
