//go:build !amd64 || purego

package prv

func readFields(b []byte, from, to int, f *fields, low []uint32) (n, nLines, nOdd int) {
	return readPlain(b, from, to, f, low)
}
