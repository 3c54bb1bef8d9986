package replay

import (
	"pview/insight/report"
	"pview/prv"
)

// RuntimeDocument shows a message-driven run under other runtime systems; the first is the recorded one.
func RuntimeDocument(list []Runtime, unit prv.Unit) *report.Document {
	ns := float64(unit.Nanoseconds())
	out := &report.Table{Columns: []report.Column{{Key: "queue", Title: "Queue"},
		{Key: "balance", Title: "Load balancing"},
		{Key: "time_ns", Title: "Time", Show: report.ShowTime}, {Key: "of_recorded", Title: "Of the recorded",
			Show: report.ShowShare},
		{Key: "hops", Title: "Hops of tasks"}, {Key: "messages", Title: "Messages of the balancer"},
		{Key: "rounds", Title: "Rounds to quiescence"}, {Key: "control_messages", Title: "Its messages"},
		{Key: "reported_after_ns", Title: "Reported after", Show: report.ShowTime}}}
	for i := range list {
		l := &list[i]
		out.Add(l.Queue, l.Balance, float64(l.Length)*ns, float64(l.Length)/float64(max(1, list[0].Length)), l.Hops,
			l.Messages, int64(l.Quiet.First+l.Quiet.Second), l.Quiet.Messages,
			float64(max(0, l.Quiet.At-l.Length))*ns)
	}
	return report.TableDocument(out)
}
