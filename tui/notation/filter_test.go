package notation

import (
	"testing"

	"pview/filter"
	"pview/semantic"
)

func TestFilterText(t *testing.T) {
	labels := labels()
	for _, text := range []string{"", "type=40", "type=40,90 value>0", "value!=0,1", "from=1 to=2,3",
		"tag<5 size=[1000,2000]", "type=none",
		"bandwidth>100", "type=40 type-or-value physical no-logical", "no-intra", "no-inter",
		"from=1 from-or-to tag=5 tag-or-size"} {
		f, err := ParseFilter(text, labels, semantic.Nanoseconds)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		again, err := ParseFilter(FilterText(&f), labels, semantic.Nanoseconds)
		if err != nil || !again.Equal(&f) {
			t.Errorf("%q is written as %q", text, FilterText(&f))
		}
	}
	def := filter.Default()
	if f, _ := ParseFilter("", labels, semantic.Nanoseconds); !f.Equal(&def) || FilterText(&def) != "" {
		t.Error("the empty filter is not the default one")
	}
}
