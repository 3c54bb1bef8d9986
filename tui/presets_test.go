package tui

import (
	"testing"

	"pview/prv"
)

// A preset names existing actions, no key twice, and takes no action's only key.
func TestPresetsKeepEveryActionInReach(t *testing.T) {
	for _, p := range Presets {
		m := &Model{}
		m.options.Keys = p.Keys
		m.furnish()
		taken := map[string]string{}
		for name, keys := range p.Keys {
			if blank().palette.Actions.Named(name) == nil {
				t.Errorf("%s: there is no action %s", p.Name, name)
			}
			for _, k := range keys {
				if taken[k] != "" {
					t.Errorf("%s: %s is a key of %s and of %s", p.Name, k, taken[k], name)
				}
				taken[k] = name
			}
		}
		for _, a := range blank().palette.Actions.All() {
			if len(a.Keys) > 0 && len(m.palette.Actions.Named(a.Name).Keys) == 0 {
				t.Errorf("%s: %s has no key any more", p.Name, a.Name)
			}
		}
	}
}

// With the keys of Perfetto, w shows half of the time, d goes to the right by an eighth of it, a back, and s shows all
// again.
func TestKeysOfPerfetto(t *testing.T) {
	d := drive(t, 120, 30, Options{Demo: func() (*prv.Trace, error) {
		return traceOf(t, traceA), nil
	}, Keys: Presets[0].Keys})
	all := d.m.Focused().Duration()
	d.press("w")
	if got := d.m.Focused().Duration(); got != all/2 {
		t.Fatalf("w shows %d of %d", got, all)
	}
	begin := d.m.Focused().Begin
	d.press("d")
	right := d.m.Focused().Begin
	d.press("a")
	if back := d.m.Focused().Begin; right <= begin || back != begin {
		t.Errorf("d and a go from %d to %d and %d", begin, right, back)
	}
	d.press("s")
	if got := d.m.Focused().Duration(); got != all {
		t.Errorf("s shows %d of %d", got, all)
	}
	d.press("?")
	d.sees("a ←", "Ctrl+P")
}
