package remedy

import (
	"fmt"
	"strings"
	"testing"
)

// Changes in words, in a run of 9 threads, and what is read from them or said of them.
func TestParse(t *testing.T) {
	g := runOf(t, 9).Graph
	for text, want := range map[string]string{
		"eager":                                   "eager region= call= site= node=0 [] [] ",
		"eager:":                                  "eager region= call= site= node=0 [] [] ",
		"faster:region=f:20%":                     "faster region=f call= site= node=0 [] [] 20%",
		"faster:region=a::b:20%":                  "faster region=a::b call= site= node=0 [] [] 20%",
		"faster:region=f/threads=1.2.1:5":         "faster region=f call= site= node=0 [1] [] 5",
		"faster:node=1::20%":                      `strconv.Atoi: parsing "1:"`,
		"faster:20%":                              "faster region= call= site= node=0 [] [] 20%",
		"faster:node=3/:20%":                      "faster region= call= site= node=3 [] [] 20%",
		"faster:20%/30%":                          `"30%" is no target: write region=NAME`,
		"remove:call=MPI_Barrier":                 "remove region= call=MPI_Barrier site= node=0 [] [] ",
		"remove:site=a.c:3":                       "remove region= call= site=a.c:3 node=0 [] [] ",
		"balance:region=a::b":                     "balance region=a::b call= site= node=0 [] [] ",
		"balance:region=a::b:each":                "balance region=a::b call= site= node=0 [] [] each",
		"split:threads=1.1.1,1.4.1-1.6.1>1.9.1:4": "split region= call= site= node=0 [0 3 4 5] [8] 4",
		"split:threads=1.9.1-1.9.1":               "split region= call= site= node=0 [8] [] ",
		"map:a/b=c":                               "map region= call= site= node=0 [] [] a/b=c",
		"split:threads=1.10.1":                    `no thread "1.10.1"`,
		"split:threads=1.1.1-1.10.1":              `no thread "1.10.1"`,
		"split:threads=1.1.1>2.1.1":               `no thread "2.1.1"`,
		"split:threads=2.1.1>1.1.1":               `no thread "2.1.1"`,
		"faster:task=1":                           `no target "task": write region`,
		"quicker":                                 `no action "quicker"; actions: faster, balance, ipc-as-others`,
		"usual":                                   "usual means nothing in this run; actions: faster",
	} {
		s, err := parse(g, text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), fmt.Sprintf("repair %q: %s", text, want)) {
				t.Errorf("%s: %v, want %s", text, err, want)
			}
			continue
		}
		got := fmt.Sprintf("%s region=%s call=%s site=%s node=%d %v %v %s", s.Action.Name, s.Region, s.Call, s.Site,
			s.Node, s.Threads, s.To, s.Parameter)
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := actionsOf(g); strings.Contains(got, "usual") || !strings.HasSuffix(got, "workers, longest-first") {
		t.Errorf("actions: %s", got)
	}
	if got := changesIn([]string{"a; b", "c"}); fmt.Sprint(got, len(got)) != "[a b c] 3" {
		t.Errorf("changes: %q", got)
	}
}

func TestPercentOf(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "0%": 0, "25%": 0.25, "100": 1, "100.1": -1, "-1": -1, "": -1,
		"x%": -1} {
		switch share, err := percentOf(text); {
		case want < 0:
			if err == nil {
				t.Errorf("%q: %g", text, share)
			}
		case share != want || err != nil:
			t.Errorf("%q: %g, %v, want %g", text, share, err, want)
		}
	}
}
