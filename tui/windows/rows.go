package windows

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/sketch"
	"pview/tui/action"
	"pview/tui/pane"
)

// Rows goes to rows that differ, and groups similar ones. It measures the rows in the background; see sketch.Sketches.
type Rows struct {
	show     *Content
	outliers outliers // of the last window searched
	next     int      // next order
}

// NewRows returns the rows of windows.
func NewRows(show *Content) *Rows { return &Rows{show: show} }

// Actions returns the actions on rows.
func (r *Rows) Actions() []action.Action {
	return action.OfView(action.GroupShow, []action.Action{
		{Name: "outlier", Keys: []string{"o"}, Doc: "go to the row that differs most, and to the " +
			"time where it does; again: to the next", Run: r.nextOutlier},
		{Name: "order-rows", Keys: []string{"alt+r"}, Args: "[value|similarity|outlier|node|rank]", Doc: "order the " +
			"rows: by main value, similar ones together, by how much they differ, by node, by rank; next order",
			Run: r.order, Complete: words(rowOrders())},
	})
}

// outliers are the rows of a window that differ.
type outliers struct {
	key  timeline.RowsKey
	list []sketch.Outlier
	at   int
}

// sketch measures the rows of the window in focus in the background, and then calls then, if the window is unchanged.
func (r *Rows) sketch(then func(w *timeline.View, s *sketch.Sketches)) tea.Cmd {
	w, ctx := r.show.Focused(), r.show.sc.Context
	s, key := w.Sketches(), w.RowsKey()
	return func() tea.Msg {
		if s.Measure(ctx) == context.Canceled {
			return nil
		}
		return pane.Result(func() tea.Cmd {
			if w := r.show.WindowByID(key.Window); w != nil && w.RowsKey() == key {
				then(w, s)
			}
			return nil
		})
	}
}

func (r *Rows) nextOutlier(string) tea.Cmd {
	w := r.show.Focused()
	if r.outliers.key == w.RowsKey() && len(r.outliers.list) > 0 {
		r.outliers.at = (r.outliers.at + 1) % len(r.outliers.list)
		r.goToOutlier(w)
		return nil
	}
	if w.Rows(w.Trace.Data) < 2 && w.Trace.Meaning(&w.Sem) == semantic.StateCodes {
		return r.show.sc.Refuse(errors.New("one row: there is no other to compare it with"))
	}
	return r.sketch(func(w *timeline.View, s *sketch.Sketches) {
		r.outliers = outliers{key: w.RowsKey(), list: s.Outliers()}
		if len(r.outliers.list) == 0 {
			r.show.sc.Say("no row differs from the others in this time")
			return
		}
		r.goToOutlier(w)
	})
}

// goToOutlier puts the cursor where a row differs, and describes the difference.
func (r *Rows) goToOutlier(w *timeline.View) {
	o := r.outliers.list[r.outliers.at]
	r.show.GoTo(w, o.Time, o.Row)
	r.outliers.key = w.RowsKey() // GoTo may scroll
	rank := "most"
	if r.outliers.at > 0 {
		rank = fmt.Sprintf("%d of %d", r.outliers.at+1, len(r.outliers.list))
	}
	r.show.sc.Say(fmt.Sprintf("%s differs (%s): %s", w.Trace.Data.ShortName(w.Sem.Level, int(w.Object(o.Row))), rank,
		w.ValueText(o.Value)))
}

// rowOrder is a way to order rows.
type rowOrder struct {
	name string
	// sketched orders by the values of rows; nil if objects orders
	sketched func(s *sketch.Sketches) []int
	objects  func(w *timeline.View) []int32
}

var rowOrderTable = []rowOrder{
	{name: "value", sketched: (*sketch.Sketches).ByValue},
	{name: "similarity", sketched: (*sketch.Sketches).BySimilarity},
	{name: "outlier", sketched: (*sketch.Sketches).ByOutlier},
	{name: "node", objects: byNode},
	{name: "rank", objects: byRank},
}

func rowOrders() (names []string) {
	for _, o := range rowOrderTable {
		names = append(names, o.name)
	}
	return names
}

func (r *Rows) order(args string) tea.Cmd {
	n := len(rowOrderTable)
	i, err := action.Choose(rowOrders(), (r.next+n-1)%n, 1, args)
	if err != nil {
		return r.show.sc.Refuse(err)
	}
	o := &rowOrderTable[i]
	r.next = (i + 1) % n
	r.show.sc.Say("rows by " + o.name)
	if o.objects != nil {
		r.show.setObjects(r.show.Focused(), o.objects(r.show.Focused()))
		return nil
	}
	return r.sketch(func(w *timeline.View, s *sketch.Sketches) {
		objects := make([]int32, 0, w.Rows(w.Trace.Data))
		for _, row := range o.sketched(s) {
			objects = append(objects, int32(w.Object(row)))
		}
		r.show.setObjects(w, objects)
		r.show.sc.Say("rows by " + o.name)
	})
}

// byRank orders rows as in the trace.
func byRank(w *timeline.View) []int32 {
	list := make([]int32, w.Rows(w.Trace.Data))
	for row := range list {
		list[row] = int32(w.Object(row))
	}
	slices.Sort(list)
	return list
}

// byNode groups the rows by the node that they run on.
func byNode(w *timeline.View) []int32 {
	list, tr := byRank(w), w.Trace.Data
	node := func(o int32) int {
		threads := tr.ThreadsOf(w.Sem.Level, int(o))
		if len(threads) == 0 {
			return 0
		}
		return int(tr.ThreadNode(threads[0]))
	}
	slices.SortStableFunc(list, func(a, b int32) int { return node(a) - node(b) })
	return list
}
