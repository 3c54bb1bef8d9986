package remedy_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pview/insight/remedy"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/prv/quantity"
)

// said returns all that the candidates for the losses of a run say, those for one loss together.
func said(t *testing.T, name string, r remedy.Replayed, unit prv.Unit) string {
	t.Helper()
	list, err := r.Find(nil)
	if err != nil {
		t.Fatal(err)
	}
	span := func(ns int64) string { return quantity.FormatDuration(ns, unit) }
	var b strings.Builder
	fmt.Fprintln(&b, name)
	for _, x := range list {
		fmt.Fprintf(&b, "  %s, %s, %s: gains %s, estimated %s\n", x.Rule, x.Kind, x.When, span(x.Gain),
			span(x.Estimate))
		fmt.Fprintf(&b, "    %s\n    %s\n    --repair %s\n", x.Title, x.Advice, x.Spec)
		for i, e := range x.Evidence {
			if i == 0 || i == len(x.Evidence)-1 {
				fmt.Fprintf(&b, "    place %d of %d: from %s, for %s, on threads %v: %s, costs %s\n", i+1,
					len(x.Evidence), span(e.From), span(e.To-e.From), e.Threads, e.Why, span(int64(e.Cost)))
			}
		}
		for _, y := range x.Same {
			fmt.Fprintf(&b, "    or gain %s: %s\n", span(y.Gain), y.Title)
		}
	}
	return b.String()
}

// The words and figures of all repairs of the runs above.
func TestWords(t *testing.T) {
	var b strings.Builder
	planted := losses(t)
	for _, name := range slices.Sorted(maps.Keys(planted)) {
		b.WriteString(said(t, name, planted[name].run, prv.Nanoseconds))
	}
	for _, name := range slices.Sorted(maps.Keys(faults())) {
		r := remedy.NewRun(context.Background(), faults()[name].made(t))
		b.WriteString(said(t, "fault "+name, r, prv.Nanoseconds))
	}
	for _, c := range drivenLosses() {
		r := drivenRun(t, c.processors, c.list, c.busy...)
		b.WriteString(said(t, "message-driven "+c.name, r, prv.Microseconds))
	}
	prvtest.SameFile(t, "testdata/words.txt", b.String())
}
