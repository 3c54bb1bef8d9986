package breakdown

import (
	"slices"

	"pview/insight/report"
	"pview/prv"
)

// StageDocument returns what threads and messages do in each stage of a run.
func StageDocument(list []Timestep, unit prv.Unit) *report.Document {
	ns := float64(unit.Nanoseconds())
	out := &report.Table{Columns: []report.Column{{Key: "from_ns", Title: "From", Show: report.ShowTime},
		{Key: "busy", Title: "Busy", Show: report.ShowShare}, {Key: "least_busy", Title: "Least busy",
			Show: report.ShowShare},
		{Key: "created", Title: "Messages created"},
		{Key: "executed", Title: "Executions"}, {Key: "grain_ns", Title: "Mean length", Show: report.ShowTime},
		{Key: "queued", Title: "Waiting", Show: report.ShowDigits}, {Key: "arrived", Title: "Messages arrived"}}}
	for i := range list {
		s := &list[i]
		created, arrived, executed := 0, 0, 0
		for p := range s.Busy {
			created, arrived, executed = created+s.Created[p], arrived+s.Arrived[p], executed+s.Executed[p]
		}
		out.Add(float64(s.From)*ns, s.MeanBusy(), slices.Min(s.Busy), int64(created), int64(executed), s.Grain*ns,
			s.Queued, int64(arrived))
	}
	return report.TableDocument(out)
}
