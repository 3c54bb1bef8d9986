package store

import (
	"strconv"
	"testing"
)

func TestNumber(t *testing.T) {
	texts := []string{"", "0", "00000000000000000000000007", "18446744073709551615", "18446744073709551616",
		"99999999999999999999", "123456789012345678901234567890"}
	for n := 1; n <= 19; n++ {
		texts = append(texts, "9182736450918273645"[:n], "1000000000000000000"[:n])
	}
	for _, s := range texts {
		for _, end := range []string{":", "\n", "-", "/", ";", "x", "\xff", "\x00"} {
			b := append([]byte("7"+s+end), "87654321"...)
			v, next, over := number(b, 1)
			want, err := strconv.ParseUint(s, 10, 64)
			if s == "" {
				if next != 1 {
					t.Errorf("no digits: ends at %d", next)
				}
				continue
			}
			if next != 1+len(s) || over != (err != nil) || !over && v != want {
				t.Errorf("%q before %q: %d, ends at %d, over %v", s, end, v, next, over)
			}
		}
	}
}
