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

// Conditions on bursts are mixed with other criteria; a time alone is the minimum duration.
func TestCutConditions(t *testing.T) {
	for text, want := range map[string][2]string{
		"1ms":                       {"duration > 1ms", ""},
		"type=40 duration<=5us >1s": {"duration <= 5us && duration > 1s", "type=40"},
		`value="MPI call" size>1kB`: {"", `value="MPI call" size>1kB`},
		"":                          {"", ""},
	} {
		condition, criteria, err := CutConditions(text)
		if err != nil || condition != want[0] || criteria != want[1] {
			t.Errorf("%q: %q and %q (%v), want %q", text, condition, criteria, err, want)
		}
		if again, _, err := CutConditions(ConditionText(condition)); err != nil || again != condition {
			t.Errorf("%q is written %q and read %q (%v)", condition, ConditionText(condition), again, err)
		}
	}
	for _, text := range []string{"duration=1ms", "duration", "duration>5", "duration>64KiB", "1zs", "5"} {
		if condition, _, err := CutConditions(text); err == nil {
			t.Errorf("%q is %q", text, condition)
		}
	}
}
