//go:build !amd64 || purego

package store

// fastFields: readFields is faster than reading the lines one by one.
const fastFields = false

func readFields(b []byte, from, to int, f *fields, low []uint32) (n, nLines, nOdd int) {
	return readPlain(b, from, to, f, low)
}
