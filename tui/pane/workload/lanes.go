package workload

// Clusters in the timeline: as events of the trace, in separate windows.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/workload"
	"pview/insight/workload/plots"
	"pview/prv"
	"pview/prv/extrae"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic"
	"pview/tui/pane"
)

// stream shows the result of an analysis in the timeline.
type stream struct {
	wanted    bool       // add the clusters to the trace as events
	streamed  int        // version of the clusters in the trace; 0: none
	restoring bool       // for a window of a session
	before    *prv.Trace // the trace with the clusters of its own file, which those of the analysis replace
	labels    *prv.Labels
	then      []func(s *session) // opens windows once the trace has the clusters

	palette *raster.Palette
	dark    bool // background of the colours
	many    int  // number of clusters that have colours
}

// lanes puts the clusters of sessions into the timeline.
type lanes struct {
	sc   *pane.Scene
	work *work
	of   pane.Pane // pane that keeps the focus
}

// streaming is the job that turns clusters into events.
const streaming = "clusters for the timeline"

// streaming puts the clusters into the trace.
func (l *lanes) streaming(s *session) *task {
	r, version, data := s.result, s.of, s.trace.Data
	return &task{streaming, func(ctx context.Context, _ func(string, int64, int64)) (func(), error) {
		own := s.streamed == 0 && workload.HasClusters(data)
		by := r.Stream(workload.StreamOptions{})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return func() {
			if s.streamed == 0 {
				if s.labels, s.before = data.Labels, nil; own {
					s.before = data
				}
			}
			l.revise(s, by, version)
		}, nil
	}}
}

// revise replaces the events of the trace. Components keep their positions.
func (l *lanes) revise(s *session, by *prv.Trace, version int) {
	l.sc.Do(pane.Revise{Trace: s.trace, By: by, Done: func() {
		s.revision, s.streamed = s.trace.Revision, version
		s.result.Set.Trace = by
		for _, f := range s.then {
			f(s)
		}
		s.then = nil
	}})
}

var (
	errNoResult  = errors.New("nothing is clustered yet")
	errUnplaced  = errors.New("only bursts and tasks can be shown in the timeline: others overlap")
	errNoCluster = errors.New("no cluster is chosen")
)

// put adds the clusters to the trace once they are known, and then calls a function.
func (l *lanes) put(s *session, then func(s *session)) tea.Cmd {
	if !s.kind.Streams() {
		return l.sc.Refuse(errUnplaced)
	}
	s.wanted = true
	delete(s.failed, streaming)
	if s.fresh() && s.streamed == s.of {
		then(s)
	} else {
		s.then = append(s.then, then)
	}
	return nil
}

// color shows the clusters in the timeline, or removes them.
func (l *lanes) color(s *session) tea.Cmd {
	if !s.wanted {
		return l.put(s, l.showAll)
	}
	s.wanted, s.then = false, nil
	for _, v := range l.sc.Views {
		if ofClusters(v) && v.Trace == s.trace {
			l.sc.Do(pane.CloseView{View: v})
		}
	}
	if s.streamed == 0 {
		return nil
	}
	l.work.drop(errStale)
	data, labels, before := s.trace.Data, s.labels, s.before
	return l.work.start(s, &task{"taking clusters out of the timeline",
		func(context.Context, func(string, int64, int64)) (func(), error) {
			by := before
			if by == nil {
				by = workload.WithoutClusters(data, labels)
			}
			return func() {
				l.revise(s, by, 0)
				s.before, s.labels = nil, nil
			}, nil
		}})
}

// ofClusters reports whether a view shows clusters.
func ofClusters(v *timeline.View) bool {
	return slices.Equal(timeline.ListedTypes(&v.Sem.Filter), []uint32{extrae.ClusterID})
}

// showAll opens the window with all clusters, unless there is one.
func (l *lanes) showAll(s *session) {
	for _, v := range l.sc.Views {
		if v.Trace == s.trace && ofClusters(v) && len(v.Sem.Extra) == 0 {
			return
		}
	}
	l.addView(s, func(v *timeline.View) {})
}

// showOne opens a window with the bursts of one cluster only.
func (l *lanes) showOne(class int32) func(s *session) {
	return func(s *session) {
		l.addView(s, func(v *timeline.View) {
			v.Name = "Only " + workload.ClassName(class)
			limit := []float64{float64(class)}
			v.Sem.Extra = []semantic.Call{{Name: "Select Range", Params: [][]float64{limit, limit}}}
		})
		l.sc.Say(fmt.Sprintf("a window with only the bursts of %s", workload.ClassName(class)))
	}
}

// addView opens a window of clusters below the one in focus, at the same time. It becomes the window in focus, so that
// small screens show it; the pane keeps the keys.
func (l *lanes) addView(s *session, change func(v *timeline.View)) {
	focus, focused := l.sc.View, l.sc.Focused && l.sc.Open == l.of
	v := l.sc.NewView(s.trace)
	if focus != nil && focus.Trace == s.trace {
		v.Begin, v.End, v.Cursor, v.CursorRow = focus.Begin, focus.End, focus.Cursor, focus.CursorRow
	}
	timeline.LastValue("Clusters", []uint32{extrae.ClusterID})(&v.Sem)
	change(v)
	l.sc.Do(pane.AddView{View: v})
	if focused {
		l.sc.Show(l.of, true)
	}
}

// paint gives the windows of clusters the colours of the plots.
func (l *lanes) paint(s *session) {
	if s.streamed == 0 {
		return
	}
	if n := len(s.result.Counts); s.palette == nil || s.dark != l.sc.Dark || s.many != n {
		s.palette, s.dark, s.many = raster.ValuePalette(), l.sc.Dark, n
		for class := 1; class < n; class++ {
			s.palette.Set(int64(class), plot.Color(plots.InkOf(class), l.sc.Dark))
		}
	}
	for _, v := range l.sc.Views {
		if v.Trace == s.trace && ofClusters(v) && v.Palette != s.palette {
			v.Palette = s.palette
			v.Paint.Version++
		}
	}
}

// filter opens a window with only the bursts of the chosen cluster.
func (l *lanes) filter(s *session) tea.Cmd {
	class, ok := s.class()
	if !ok {
		return l.sc.Refuse(errNoCluster)
	}
	return l.put(s, l.showOne(class))
}

// jump puts the cursor of the timeline on a component.
func (l *lanes) jump(s *session, i int) tea.Cmd {
	set, v := s.result.Set, l.sc.ViewOf(s.trace)
	switch {
	case set.Begin == nil || set.Kind.Name == "run":
		return l.sc.Refuse(errors.New("runs have no place in the timeline"))
	case v == nil:
		return nil
	}
	row := v.CursorRow
	if th := set.Thread[i]; th >= 0 {
		if row = v.RowOfThread(th); row < 0 {
			return l.sc.Refuse(errors.New("the window has no row for " + s.trace.Data.ShortName(prv.LevelThread, int(th))))
		}
	}
	l.sc.Do(pane.GoTo{View: v, Time: set.Begin[i], Row: row})
	return nil
}
