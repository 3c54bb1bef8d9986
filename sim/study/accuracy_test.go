package study_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"pview/prv"
	"pview/sim/study"
)

// published returns the runs of the thesis on PUPPET (puppet.md 8.1 to 8.3), those whose names begin with a text.
func published(t *testing.T, prefix string) (list []study.Compared) {
	t.Helper()
	f, err := os.Open("../puppet/thesis/validation.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := study.ReadCompared(f.Name(), f)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if strings.HasPrefix(c.Name, prefix) && strings.Contains(c.Name, strings.TrimPrefix(prefix, "BLAS")) {
			list = append(list, c)
		}
	}
	return list
}

// TestPublishedErrors: puppet.md, check 30.
func TestPublishedErrors(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(100*got-want) > 0.005 {
			t.Errorf("%s: %.3f %%, not %.2f", what, 100*got, want)
		}
	}
	ethernet, sp2 := study.SumUp(published(t, "Ethernet")), study.SumUp(published(t, "SP2"))
	near("Ethernet, mean", ethernet.Mean, 1.51)
	near("Ethernet, worst", ethernet.Worst.Error(), -5.83)
	near("SP2, mean", sp2.Mean, 14.65)
	near("SP2, worst", sp2.Worst.Error(), 46.96)
	if ethernet.Below[5] != 13 {
		t.Errorf("Ethernet: %d below 5 %%", ethernet.Below[5])
	}
	for order, worst := range map[int]float64{800: 21.62, 1600: 5.69, 2400: 7.83} {
		var list []study.Compared
		for _, c := range published(t, "BLAS") {
			if strings.Contains(c.Name, fmt.Sprintf(" %d on", order)) {
				list = append(list, c)
			}
		}
		near(fmt.Sprintf("BLAS of order %d, worst", order), study.SumUp(list).Worst.Error(), worst)
	}
	for _, c := range published(t, "Ethernet") {
		switch c.Name { // two printed errors of each sign
		case "Ethernet merge-sort 20000 on 4":
			near(c.Name, c.Error(), 1.35)
		case "Ethernet merge-sort 30000 on 4":
			near(c.Name, c.Error(), -4.67)
		}
	}
}

func TestReadCompared(t *testing.T) {
	list, err := study.ReadCompared("a", strings.NewReader("# comment\nrun of mine 2s 2.1s\nb,100 ms,90 ms\n"))
	if err != nil || len(list) != 2 || list[0] != (study.Compared{Name: "run of mine", Actual: 2e9,
		Predicted: 2.1e9}) || list[1].Predicted != 90e6 {
		t.Errorf("%v, %v", list, err)
	}
	for text, why := range map[string]string{"a 1\n": "a:1: must be a name",
		"a 1 2\nb 0 1\n": "a:2: \"0\" must be a time > 0", "a 1 x\n": "a:1: \"x\"", "": "a:1: no runs"} {
		_, err := study.ReadCompared("a", strings.NewReader(text))
		var at *prv.FileError
		if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), why) {
			t.Errorf("%q: %v, not %s", text, err, why)
		}
	}
}
