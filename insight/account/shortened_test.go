package account

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pview/insight/eventgraph"
	"pview/insight/waits"
)

// Programs find a region by its name, the first one as well; time outside of all of them has none.
func TestNamesOfRegions(t *testing.T) {
	regions := []waits.Region{{Name: "main"}, {Name: "solve"}}
	m := &maker{Graph: &eventgraph.Graph{Waits: &waits.Result{Regions: regions}}}
	for region, want := range map[int32]string{-1: "region=none", 0: "region=main", 1: "region=solve"} {
		if got := m.name(key{by: byRegion, a: region}); got != want {
			t.Errorf("region %d is %q, want %q", region, got, want)
		}
	}
}

// A run without time has no efficiency.
func TestEfficiencyOfNothing(t *testing.T) {
	if got := new(Account).Efficiency(); got != 0 {
		t.Error(got)
	}
}

func TestShortened(t *testing.T) {
	long := strings.Repeat("ä", mostRunes)
	if got := shortened(long); got != long {
		t.Errorf("%d runes became %q", mostRunes, got)
	}
	got := shortened("first" + long + "last")
	if n := utf8.RuneCountInString(got); n > mostRunes || !strings.HasPrefix(got, "firstä") ||
		!strings.HasSuffix(got, "älast") || !strings.Contains(got, "ä...ä") {
		t.Errorf("%q of %d runes", got, n)
	}
	if got := shortened("wait for code outside of traced functions on 1.1.1-1.16.1"); got !=
		"wait for other code on 1.1.1-1.16.1" {
		t.Error(got)
	}
}
