package diagnose

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pview/insight/eventgraph"
	"pview/insight/waits"
	"pview/prv"
)

// threeTasks returns a trace of three tasks without records.
func threeTasks() *prv.Builder {
	h := prv.Header{Unit: prv.Nanoseconds}
	h.AddNode(3)
	h.AddPtask()
	for range 3 {
		h.AddTask(1, 0)
	}
	return prv.NewBuilder(h)
}

func buildGraph(t *testing.T, b *prv.Builder) *eventgraph.Graph {
	t.Helper()
	tr, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	g, err := eventgraph.NewGraph(context.Background(), tr, waits.Options{}, eventgraph.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Rows of messages that thread 1 sends in [10, 100): of two or more of one unit to one thread with one tag, between
// which it receives nothing. It is idle from 50 to 60, so that its second unit starts at 60.
func TestRowsOfMessages(t *testing.T) {
	type send struct {
		at  int64
		to  int32
		tag int64
	}
	all := func(times ...int64) (list []send) {
		for _, at := range times {
			list = append(list, send{at, 1, 5})
		}
		return list
	}
	for _, c := range []struct {
		name     string
		sent     []send
		received []int64
		want     []int
	}{
		{"none", nil, nil, nil},
		{"one", all(20), nil, nil},
		{"a row", all(20, 30, 40), nil, []int{3}},
		{"the phase", all(8, 9, 10, 40, 99, 100, 101), nil, []int{2}}, // 10 and 40; 99 is alone in its unit
		{"at the end", all(70, 99, 100), nil, []int{2}},
		{"two units", all(20, 49, 60, 61, 62), nil, []int{2, 3}},
		{"another thread", []send{{20, 1, 5}, {21, 1, 5}, {22, 2, 5}, {23, 2, 5}, {24, 2, 5}}, nil, []int{2, 3}},
		{"by turns", []send{{20, 1, 5}, {21, 2, 5}, {22, 1, 5}}, nil, nil},
		{"another tag", []send{{20, 1, 5}, {21, 1, 5}, {22, 1, 6}, {23, 1, 6}, {24, 1, 6}}, nil, []int{2, 3}},
		{"received with the second", all(10, 20, 30, 40), []int64{20}, []int{3}},
		{"received after the second", all(10, 20, 30, 40), []int64{21}, []int{2, 2}},
		{"received before", all(20, 30), []int64{5, 10, 11, 20}, []int{2}},
		{"received twice", all(20, 30, 40), []int64{25, 26, 41}, []int{2}},
	} {
		b := threeTasks()
		for _, s := range [...][3]int64{{0, 50, 1}, {50, 60, 3}, {60, 200, 1}} {
			b.State(0, 0, s[0], s[1], uint32(s[2]))
		}
		for _, s := range c.sent {
			b.Comm(prv.Comm{Send: 0, Recv: s.to, Tag: s.tag, Size: 8, Times: [4]int64{s.at, s.at, 190, 190}})
		}
		for _, at := range c.received {
			b.Comm(prv.Comm{Send: 1, Recv: 0, Size: 8, Times: [4]int64{0, 0, at, at}})
		}
		g := buildGraph(t, b)
		if err := g.BuildUnits(context.Background()); err != nil {
			t.Fatal(err)
		}
		v := &phaseView{analysis: &analysis{Graph: g}, Phase: &eventgraph.Phase{From: 10, To: 100}}
		var got []int
		v.eachRow(0, func(r row) {
			got = append(got, len(r.messages))
			if r.bytes != int64(8*len(r.messages)) {
				t.Errorf("%s: %d messages have %d bytes", c.name, len(r.messages), r.bytes)
			}
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: rows of %s, want %v", c.name, fmt.Sprint(got), c.want)
		}
	}
}
