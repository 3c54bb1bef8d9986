package study

// The accuracy of predictions compared with measurements.

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// Compared is a run that was both measured and predicted. Times are ns.
type Compared struct {
	Name              string
	Actual, Predicted float64
}

// Error returns the signed error of the prediction, relative to the measured time.
func (c Compared) Error() float64 { return (c.Predicted - c.Actual) / c.Actual }

// Errors sums up the errors of predictions.
type Errors struct {
	Mean  float64 // of absolute values
	Worst Compared
	Below map[int]int // number of errors below N percent
}

// SumUp sums up the errors of at least one run.
func SumUp(list []Compared) Errors {
	e := Errors{Worst: list[0], Below: map[int]int{}}
	for _, c := range list {
		size := math.Abs(c.Error())
		e.Mean += size / float64(len(list))
		if size > math.Abs(e.Worst.Error()) {
			e.Worst = c
		}
		for _, percent := range []int{5, 10} {
			if size < float64(percent)/100 {
				e.Below[percent]++
			}
		}
	}
	return e
}

// ReadCompared reads runs, one per line: a name, the measured and the predicted time, separated by tabs or commas, or
// with the times as the last two words. Times without a unit are seconds; a line that starts with # is a comment.
// Errors are of type *prv.FileError.
func ReadCompared(name string, in io.Reader) (list []Compared, err error) {
	s := bufio.NewScanner(in)
	for line := int64(1); s.Scan(); line++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		fail := func(why string) error { return &prv.FileError{File: name, Line: line, Why: why} }
		words := strings.FieldsFunc(text, func(r rune) bool { return r == '\t' || r == ',' })
		if len(words) != 3 {
			if words = strings.Fields(text); len(words) < 3 {
				return nil, fail("must be a name, a measured and a predicted time")
			}
			n := len(words)
			words = []string{strings.Join(words[:n-2], " "), words[n-2], words[n-1]}
		}
		c := Compared{Name: strings.TrimSpace(words[0])}
		for i, t := range []*float64{&c.Actual, &c.Predicted} {
			v, err := quantity.ParseTime(strings.TrimSpace(words[1+i]), 1e9)
			if err != nil || !(v >= 0) || i == 0 && v == 0 {
				return nil, fail(fmt.Sprintf("%q must be a time > 0", words[1+i]))
			}
			*t = v
		}
		list = append(list, c)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &prv.FileError{File: name, Line: 1, Why: "no runs"}
	}
	return list, nil
}
