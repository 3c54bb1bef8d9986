// Package windows has the actions on windows: moving, zooming and searching (Navigator), views, functions, filters and
// objects (Content), differing rows (Rows), their look (Look), their arrangement and animation. Each is a part of the
// shell with its own state and actions.
package windows

import (
	"fmt"

	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
)

// Intervals describes the part of a run that a view shows, in texts of decreasing length. whole is the end of its time
// axis, columns its width.
func Intervals(w *timeline.View, whole int64, columns int) []string {
	t := w.Trace.Data
	length := raster.FormatDuration(w.Duration(), t.Unit)
	if w.Begin == 0 && w.End == whole {
		return []string{"0 .. " + length + "  (all)", length + " (all)"}
	}
	percent := quantity.FormatPercent(float64(w.Duration()) / float64(max(t.Duration, 1)))
	f := raster.NewIntervalFormat(w.Begin, w.End, t.Unit, columns)
	return []string{
		fmt.Sprintf("%s  (%s, %s)", f.Range(w.Begin, w.End), length, percent),
		fmt.Sprintf("%s +%s (%s)", f.Format(w.Begin), length, percent),
		fmt.Sprintf("%s (%s)", length, percent),
	}
}
