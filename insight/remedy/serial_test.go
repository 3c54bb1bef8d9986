package remedy

import "testing"

// A title speaks of all the others only where nearly all of their time is alike: in the demo trace 16 of 31 threads
// have not begun while one reads the input, and 15 wait.
func TestPastime(t *testing.T) {
	for want, p := range map[string]pastime{
		"the others wait": {before: 0.5, after: 0.5},
		"the others compute for 10.0 % of that time": {busy: 0.1, before: 0.9},
		"the others have not begun":                  {before: 0.9},
		"the others wait or have not begun":          {before: 16.0 / 31},
		"the others have ended":                      {after: 0.95},
		"the others wait or have ended":              {after: 0.89, busy: 0.09},
	} {
		if got := p.String(); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
