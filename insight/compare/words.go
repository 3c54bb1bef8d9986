package compare

import (
	"fmt"
	"math"
	"strings"

	"pview/insight/report"
	"pview/prv/quantity"
	"pview/prv/wide"
)

func countText(v float64) string {
	if v == math.Trunc(v) {
		return quantity.FormatWhole(v)
	}
	return fmt.Sprintf("%.1f", v)
}

func timesText(ratio float64) string { return fmt.Sprintf("%.2f times", ratio) }

func ipcText(a, b float64) string { return fmt.Sprintf("IPC %.2f -> %.2f", a, b) }

func clockText(a, b float64) string { return fmt.Sprintf("%.2f -> %.2f GHz", a, b) }

func signed(ns float64) string { return showDifference(wide.Nearest(ns)) }

// Say says why the region's time differs; "" if unknown.
func (x *Card) Say() string {
	if x.once {
		where := ""
		if x.onA {
			where = " in A"
		}
		s := fmt.Sprintf("execution %d of %s on %s took %s longer%s", x.odd.number, x.Region, x.thread,
			duration(int64(x.odd.extra)), where)
		if 2*x.odd.lost > x.odd.extra {
			s += ", without cycles"
		}
		return s
	}
	var list []string
	for _, r := range x.reasons() {
		list = append(list, r.text+": "+signed(r.ns))
	}
	if len(list) == 0 {
		return ""
	}
	s := strings.Join(list, ", ")
	if len(x.Threads) == 1 || x.scaled {
		return s
	}
	return s + " per thread"
}

// Durations says how long both runs took: "A 201.3 ms, B 222.6 ms: +21.3 ms (+10.6 %)".
func (c *Result) Durations() string {
	if c.Scaled {
		return fmt.Sprintf("A %s on %s, B %s on %s", duration(c.A.Duration), quantity.CountOf(int64(c.A.Threads),
			c.A.one()), duration(c.B.Duration), quantity.CountOf(int64(c.B.Threads), c.B.one()))
	}
	d := c.Difference()
	return fmt.Sprintf("A %s, B %s: %s (%s)", duration(c.A.Duration), duration(c.B.Duration), showDifference(d),
		quantity.FormatChange(report.RatioOf(d, wide.Of(c.A.Duration))))
}
