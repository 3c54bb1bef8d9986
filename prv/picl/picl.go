// Package picl reads the traces of PICL (Portable Instrumented Communication Library, Oak Ridge) and MPICL, of both
// generations: the old one in its compact and verbose form, and the new one of 1992, whose records start with a
// negative number.
//
// A processor is a task with its own node and CPU, a process a thread. System events become states by their class, and
// events of type 76000000; user events have a type each from 77000000 on; marks are events of type 75000000. A message
// is a communication between the send and the receive of the same pair of processes and tag, in the order of both.
package picl

import (
	"bytes"
	"strconv"
)

// Detect reports whether a file is a trace of PICL by its first bytes: the first token of the first line is a negative
// number, or the number or name of a record.
func Detect(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, _ := bytes.Cut(head, []byte("\n"))
	f := bytes.Fields(line)
	if len(f) < 4 {
		return false
	}
	first := string(f[0])
	number, err := strconv.Atoi(first)
	if err != nil {
		return oldByName[first] != nil && string(f[1]) == "clock"
	}
	if number >= 0 {
		return oldByNumber[int64(number)] != nil && allIntegers(f[1:4])
	}
	if len(f) < 6 || !allIntegers([][]byte{f[1], f[3], f[4], f[5]}) {
		return false
	}
	_, err = seconds(string(f[2]))
	return err == nil
}

func allIntegers(list [][]byte) bool {
	for _, s := range list {
		if _, err := strconv.ParseInt(string(s), 10, 64); err != nil {
			return false
		}
	}
	return true
}
