package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/action"
)

// Thousands of rows: going to those that differ, and putting those together that are alike. What rows do is measured in
// the background; see timeline.Sketches.

var rowActions = []deed{
	{Name: "outlier", Group: groupShow, Keys: []string{"o"},
		Doc: "go to the row that differs most, and to the time where it does; again: to the next", Hint: "outlier",
		needsWindow: true, run: nextOutlier},
	{Name: "order-rows", Group: groupShow, Keys: []string{"alt+r"}, Args: "[value|similarity|outlier|node|rank]",
		Doc: "order the rows: by what they do most, alike together, by how much they differ, by node, by rank; next order", needsWindow: true, run: orderRows, complete: func(*Model, string) []string { return rowOrders() }},
}

// outliers are the rows of a window that differ.
type outliers struct {
	key  outlierKey
	list []timeline.Outlier
	at   int
}

// outlierKey is what they depend on.
type outlierKey struct {
	window     int
	values     string
	begin, end int64
	top, span  int
	objects    *int32
	known      int
}

func keyOfRows(w *timeline.View) outlierKey {
	k := outlierKey{window: w.ID, values: w.Values.Key, begin: w.Begin, end: w.End, top: w.Top, span: w.Span,
		known: w.Values.Known}
	if len(w.Objects) > 0 {
		k.objects = &w.Objects[0]
	}
	return k
}

// sketchedMsg is the sketches of the rows of a window.
type sketchedMsg struct {
	key  outlierKey
	s    *timeline.Sketches
	then func(m *Model, w *timeline.View, s *timeline.Sketches)
}

// sketch measures the rows of the window in focus in the background, and then calls then.
func (m *Model) sketch(then func(m *Model, w *timeline.View, s *timeline.Sketches)) tea.Cmd {
	w, ctx := m.Focused(), m.ctx
	s, key := w.Sketch(), keyOfRows(w)
	return func() tea.Msg {
		if s.Measure(ctx) == context.Canceled {
			return nil
		}
		return sketchedMsg{key, s, then}
	}
}

// sketched takes the sketches, if the window still shows the same.
func (m *Model) sketched(msg sketchedMsg) {
	if w := m.WindowByID(msg.key.window); w != nil && keyOfRows(w) == msg.key {
		msg.then(m, w, msg.s)
	}
}

func nextOutlier(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	if m.outliers.key == keyOfRows(w) && len(m.outliers.list) > 0 {
		m.outliers.at = (m.outliers.at + 1) % len(m.outliers.list)
		m.goToOutlier(w)
		return nil
	}
	if w.Rows(w.Trace.Data) < 2 && w.Trace.Meaning(&w.Sem) == semantic.StateCodes {
		return m.scene.Refuse(errors.New("one row: there is nothing that it differs from"))
	}
	return m.sketch(func(m *Model, w *timeline.View, s *timeline.Sketches) {
		m.outliers = outliers{key: keyOfRows(w), list: s.Outliers()}
		if len(m.outliers.list) == 0 {
			m.scene.Say("no row differs from the others in this time")
			return
		}
		m.goToOutlier(w)
	})
}

// goToOutlier puts the cursor where a row differs, and says in what.
func (m *Model) goToOutlier(w *timeline.View) {
	o := m.outliers.list[m.outliers.at]
	m.GoTo(w, o.Time, o.Row)
	m.outliers.key = keyOfRows(w) // going there may scroll
	rank := "most"
	if m.outliers.at > 0 {
		rank = fmt.Sprintf("%d of %d", m.outliers.at+1, len(m.outliers.list))
	}
	m.scene.Say(fmt.Sprintf("%s differs (%s): %s", w.RowName(o.Row), rank, w.ValueText(o.Value)))
}

// rowOrder is a way to order rows.
type rowOrder struct {
	name string
	// sketched orders by what rows do; nil where objects does.
	sketched func(s *timeline.Sketches) []int
	objects  func(w *timeline.View) []int32
}

var rowOrderTable = []rowOrder{
	{name: "value", sketched: (*timeline.Sketches).ByValue},
	{name: "similarity", sketched: (*timeline.Sketches).BySimilarity},
	{name: "outlier", sketched: (*timeline.Sketches).ByOutlier},
	{name: "node", objects: byNode},
	{name: "rank", objects: byRank},
}

func rowOrders() (names []string) {
	for _, o := range rowOrderTable {
		names = append(names, o.name)
	}
	return names
}

func orderRows(m *Model, args string) tea.Cmd {
	i, err := action.Choose(rowOrders(), (m.rowOrder+len(rowOrderTable)-1)%len(rowOrderTable), 1, args)
	if err != nil {
		return m.scene.Refuse(err)
	}
	o := &rowOrderTable[i]
	m.rowOrder = (i + 1) % len(rowOrderTable)
	m.scene.Say("rows by " + o.name)
	w := m.Focused()
	if o.objects != nil {
		return setObjects(m, w, o.objects(w))
	}
	return m.sketch(func(m *Model, w *timeline.View, s *timeline.Sketches) {
		objects := make([]int32, 0, w.Rows(w.Trace.Data))
		for _, row := range o.sketched(s) {
			objects = append(objects, int32(w.Object(row)))
		}
		setObjects(m, w, objects)
		m.scene.Say("rows by " + o.name)
	})
}

// byRank is the order of the trace.
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
		threads := timeline.ThreadsOf(tr, w.Sem.Level, int(o))
		if len(threads) == 0 {
			return 0
		}
		return int(tr.ThreadNode(threads[0]))
	}
	slices.SortStableFunc(list, func(a, b int32) int { return node(a) - node(b) })
	return list
}
