package compare

import (
	"fmt"
	"strconv"
	"strings"

	"pview/insight/account"
	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/wide"
)

// Condition limits by how much a figure of a run may be worse than A's.
type Condition struct {
	text     string
	name     string // of the figure
	figure   func(r *Run) float64
	show     func(v float64) string
	limit    float64 // relative, or absolute
	absolute bool
	falls    bool // lower is worse
}

// figures are the figures that conditions can limit.
var figures = map[string]struct {
	points bool // a number without % is in percentage points
	figure func(r *Run, name string) float64
	show   func(v float64) string
}{
	"duration":            {false, func(r *Run, _ string) float64 { return float64(r.Duration) }, showNs},
	"parallel-efficiency": {true, func(r *Run, _ string) float64 { return r.factors.Parallel }, quantity.FormatPercent},
	"region":              {false, (*Run).computingIn, showNs},
	"wait":                {false, func(r *Run, _ string) float64 { return r.meanWait() }, showNs},
}

func showNs(v float64) string { return showTime(wide.Nearest(v)) }

// computingIn returns the useful time in a region, the mean over the threads in ns.
func (r *Run) computingIn(region string) float64 {
	v := r.causes[detail{Category: Category(account.Computing), what: region}].
		Plus(r.causes[detail{Category: Category(account.Preempted), what: region}])
	if v.Sign() == 0 {
		sum := 0.0
		for at, w := range r.work {
			if at.region == region {
				sum += w.Time
			}
		}
		return sum / float64(max(r.Threads, 1))
	}
	return v.Times(r.unit).Float() / float64(max(r.Threads, 1))
}

// meanWait returns the time in waits of all classes, the mean over the threads in ns.
func (r *Run) meanWait() float64 {
	return wide.Sum(r.waited).Times(r.unit).Float() / float64(max(r.Threads, 1))
}

// ParseCondition reads a condition: 5%, parallel-efficiency:-2, region:spmv:+5%, wait:+10%.
func ParseCondition(text string) (Condition, error) {
	x := Condition{text: text}
	name, limit := "duration", strings.TrimSpace(text)
	if i := strings.LastIndex(limit, ":"); i >= 0 {
		name, limit = limit[:i], strings.TrimSpace(limit[i+1:])
	}
	kind, region, _ := strings.Cut(name, ":")
	f, ok := figures[kind]
	if !ok || (kind == "region") != (region != "") {
		return x, fmt.Errorf("no such figure: must be duration, parallel-efficiency, region:NAME or wait")
	}
	number, percent := strings.CutSuffix(limit, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !f.points && v < 0 || f.points && v > 0 || v != v {
		sign := ">= 0, such as 5%"
		if f.points {
			sign = "<= 0, such as -2 (points) or -5%"
		}
		return x, fmt.Errorf("must be a share %s", sign)
	}
	if x.absolute = f.points && !percent; percent || x.absolute {
		v /= 100
	}
	x.limit, x.show, x.falls = v, f.show, f.points
	if x.name = name; kind == "duration" {
		x.name = "time"
	}
	x.figure = func(r *Run) float64 { return f.figure(r, region) }
	return x, nil
}

// Crossed reports whether B is worse than A by more than the condition permits, beyond the noise if runs are repeated,
// and says by how much and how sure that is.
func (x *Condition) Crossed(c *Result) (crossed bool, how string) {
	s := c.sample(x.figure)
	a, b := s.Means()
	d := b - a
	by := fmt.Sprintf("%+.1f points", 100*d)
	if !x.absolute {
		if a == 0 {
			if b <= 0 || x.falls {
				return false, ""
			}
			by = "from nothing"
		} else {
			d /= a
			by = quantity.FormatChange(d)
		}
	}
	if crossed = d > x.limit; x.falls {
		crossed = d < x.limit
	}
	how = fmt.Sprintf("%s %s -> %s, %s", x.name, x.show(a), x.show(b), by)
	if x.name == "time" && crossed {
		how = fmt.Sprintf("takes %s longer than %s (%s -> %s)", quantity.FormatPercent(d), prv.Clean(c.A.Path),
			x.show(a), x.show(b))
	}
	if crossed && s.Repeated() {
		var sure string
		crossed, sure = s.Beyond()
		how += ", " + sure
	}
	return crossed, how
}

// String returns the condition as it was given.
func (x *Condition) String() string { return x.text }
