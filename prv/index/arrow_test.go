package index_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/store"
)

// arrow-go's reader finds the records of the trace in the files, row by row.
func TestIndexIsArrow(t *testing.T) {
	prvtest.Cache(t)
	for name, text := range prvtest.AwkwardTraces {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.prv")
			prvtest.Write(t, path, text)
			prvtest.Write(t, prv.Base(path)+".pcf", "STATES\n1 Busy\n\nEVENT_TYPE\n0 7 Seven\nVALUES\n8 eight\n")
			o := &prv.Opener{Least: 1}
			tr, err := o.Open(context.Background(), path, store.Watcher{})
			if err != nil {
				t.Fatal(err)
			}
			o.Wait(context.Background())
			dir := path + ".pvidx"
			for file, want := range map[string][]string{
				"states.arrow": statesAsText(tr), "events.arrow": eventsAsText(tr),
				"communications.arrow": commsAsText(tr), "orders.arrow": ordersAsText(tr),
				"large_values.arrow": largeValuesAsText(tr), "threads.arrow": threadsAsText(tr),
			} {
				checkRows(t, file, prvtest.ReadArrow(t, filepath.Join(dir, file)), want)
			}
			checkRows(t, "event_value_names.arrow", prvtest.ReadArrow(t, filepath.Join(dir, "event_value_names.arrow")),
				[]string{"type=7 value=8 name=eight"})
			if got := prvtest.ReadArrow(t, filepath.Join(dir, "threads.arrow")); got.Rows != len(tr.Threads) ||
				got.Text("name", 0) != "THREAD 1.1.1" {
				t.Errorf("threads.arrow has %d rows, the first is %s", got.Rows, got.Text("name", 0))
			}
		})
	}
}

// checkRows compares rows that are written as "column=value column=value".
func checkRows(t *testing.T, file string, got prvtest.ArrowTable, want []string) {
	t.Helper()
	if got.Rows != len(want) {
		t.Fatalf("%s has %d rows, not %d", file, got.Rows, len(want))
	}
	for i, line := range want {
		for cell := range strings.FieldsSeq(line) {
			column, value, _ := strings.Cut(cell, "=")
			if found := got.Text(column, i); found != value {
				t.Errorf("%s, row %d, %s: %s, not %s", file, i, column, found, value)
			}
		}
	}
}

func statesAsText(t *prv.Trace) (rows []string) {
	for i := range t.Threads {
		s := &t.Threads[i].States
		for k := range s.Len() {
			row := fmt.Sprintf("begin=%d end=%d value=%d", s.Begin[k], s.End[k], s.Value[k])
			if anyThread(t, func(th *prv.Thread) bool { return th.States.CPU != nil }) {
				row += fmt.Sprintf(" cpu=%d", t.Threads[i].StateCPU(k))
			}
			if anyThread(t, func(th *prv.Thread) bool { return th.States.FileOrder != nil }) {
				order := int32(k)
				if s.FileOrder != nil {
					order = s.FileOrder[k]
				}
				row += fmt.Sprintf(" file_order=%d", order)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func eventsAsText(t *prv.Trace) (rows []string) {
	for i := range t.Threads {
		e := &t.Threads[i].Events
		for k := range e.Len() {
			row := fmt.Sprintf("time=%d type=%d line_start=%v value=", e.Time[k], e.Type[k], e.Lines.Has(k))
			if v := e.Value.At(k); v >= 0 && v < 1<<31 {
				row += fmt.Sprint(v)
			} else {
				row += fmt.Sprint(1<<31 + slices.Index(e.Value.Large, v))
			}
			if anyThread(t, func(th *prv.Thread) bool { return th.Events.CPU != nil }) {
				row += fmt.Sprintf(" cpu=%d", t.Threads[i].EventCPU(k))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func largeValuesAsText(t *prv.Trace) (rows []string) {
	for i := range t.Threads {
		for _, v := range t.Threads[i].Events.Value.Large {
			rows = append(rows, fmt.Sprintf("value=%d", v))
		}
	}
	return rows
}

func threadsAsText(t *prv.Trace) (rows []string) {
	for i := range t.Threads {
		th := &t.Threads[i]
		rows = append(rows, fmt.Sprintf("thread=%d states=%d events=%d large_values=%d", i, th.States.Len(),
			th.Events.Len(), len(th.Events.Value.Large)))
	}
	return rows
}

func commsAsText(t *prv.Trace) (rows []string) {
	c := &t.Comms
	for k := range c.Len() {
		row := fmt.Sprintf("send_thread=%d receive_thread=%d logical_send=%d physical_send=%d logical_receive=%d "+
			"physical_receive=%d size=%d tag=%d",
			c.Send[k], c.Recv[k], c.Times[prv.LogicalSend][k], c.Times[prv.PhysicalSend][k],
			c.Times[prv.LogicalRecv][k], c.Times[prv.PhysicalRecv][k], c.Size[k], c.Tag[k])
		if c.SendCPU != nil {
			row += fmt.Sprintf(" send_cpu=%d receive_cpu=%d", t.CommCPU(k, prv.LogicalSend),
				t.CommCPU(k, prv.LogicalRecv))
		}
		rows = append(rows, row)
	}
	return rows
}

func ordersAsText(t *prv.Trace) []string {
	rows := make([]string, t.Comms.Len())
	for r, name := range []string{"logical_send", "physical_send", "logical_receive", "physical_receive"} {
		k := 0
		for i := range t.Threads {
			for _, c := range t.Threads[i].Comm[r] {
				rows[k] += fmt.Sprintf(" %s=%d", name, c)
				k++
			}
		}
	}
	return rows
}

func anyThread(t *prv.Trace, is func(*prv.Thread) bool) bool {
	for i := range t.Threads {
		if is(&t.Threads[i]) {
			return true
		}
	}
	return false
}
