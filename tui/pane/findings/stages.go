package findings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/insight/breakdown"
	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
)

// The run in stages of one length, as Projections shows it: an attribute as a curve over time, by thread, as a heat map
// of both, and as an animation whose cells, in a ring, tree or mesh, are the threads.

// stages is the state of these views.
type stages struct {
	sc         *pane.Scene
	pages      *list.Pages
	of         *timeline.Trace
	from       *diagnose.Result // source of the attributes
	attributes []breakdown.Attribute
	attribute  int
	wanted     string // key of the attribute in a session; "" or unknown: the first
	length     int64  // of a stage, in the trace's unit
	grid       *breakdown.Grid
	err        error

	last          int // the page shown last; 0: none
	stage, thread int // the chosen ones
	top           int
	shape         int    // of the animation: row of arrangements
	mesh          [3]int // lengths typed by the user; 0: none

	greatest greatest // for the colours, as computed last

	// the heat map as drawn last, with the stages per column, its width and the lines per thread
	cells   raster.Rect
	step    int
	wide    int
	tall    int
	playing int // generation of the ticks; 0: stopped
	speed   float64
	job     pane.Job
}

// longestMesh limits the lengths of a mesh.
const longestMesh = 1 << 20

// stageTick is a step of the animation.
type stageTick struct{ gen int }

const (
	usualStages = 50 // initial number, about
	usualSpeed  = 4. // stages a second
	topSpeed    = 32.
)

// begin starts with the stages of a result. The view stays; the selection stays only if it belongs to the same trace.
func (s *stages) begin(t *timeline.Trace, r *diagnose.Result) {
	old := *s
	*s = stages{sc: old.sc, pages: old.pages, job: old.job, of: t, from: r, length: usualLength(r), last: old.last,
		shape: old.shape, mesh: old.mesh, speed: usualSpeed}
	if old.of != t {
		return
	}
	s.wanted, s.stage, s.thread = old.key(), old.stage, old.thread
	if old.length > 0 && old.length < 2*r.Length {
		s.length = old.length
	}
}

// usualLength returns the initial length of stages.
func usualLength(r *diagnose.Result) int64 {
	return int64(figure.RoundStep(float64(max(r.Length/usualStages, 1))))
}

// key returns the key of the chosen attribute.
func (s *stages) key() string {
	if s.attribute < len(s.attributes) {
		return s.attributes[s.attribute].Key
	}
	return s.wanted
}

func (s *stages) moveThread(by int) tea.Cmd {
	if s.grid == nil {
		return s.sc.Refuse(s.missing())
	}
	s.thread = max(0, min(s.thread+by, s.grid.Threads-1))
	return nil
}

func (s *stages) nextAttribute(by int) tea.Cmd {
	s.attribute = (s.attribute + by + len(s.attributes)) % len(s.attributes)
	return nil
}

// pause returns the time that a stage is shown.
func (s *stages) pause() time.Duration { return time.Duration(float64(time.Second) / s.speed) }

// faster changes the speed of the animation.
func (s *stages) faster(factor float64) tea.Cmd {
	s.speed = max(1/topSpeed, min(s.speed*factor, topSpeed))
	return nil
}

// click chooses a cell of the heat map.
func (s *stages) click(x, y int) {
	if s.pages.At == pageHeat && s.grid != nil && s.cells.Has(x, y) {
		s.stage = min((x-s.cells.X)/s.wide*s.step, s.grid.Stages-1)
		s.thread = min(s.top+(y-s.cells.Y)/s.tall, s.grid.Threads-1)
	}
}

// savedStages describes the stages of a trace, in a session.
type savedStages struct {
	Page        string `json:"page"`
	Attribute   string `json:"attribute,omitempty"`
	Length      int64  `json:"length"` // of a stage, in the trace's unit
	Stage       int    `json:"stage"`
	Thread      int    `json:"thread"`
	Arrangement string `json:"arrangement,omitempty"`
	Mesh        [3]int `json:"mesh,omitzero"`
}

// saved returns the view of the stages for a session; nil if they are not shown.
func (s *stages) saved(t *timeline.Trace) *savedStages {
	if s.pages.At < pageTime || s.of != t {
		return nil
	}
	return &savedStages{s.pages.Names[s.pages.At], s.key(), s.length, s.stage, s.thread, arrangements[s.shape].name,
		s.mesh}
}

// restore shows the stages of a session. Settings that the session lacks keep their defaults.
func (s *stages) restore(t *timeline.Trace, saved *savedStages) {
	*s = stages{sc: s.sc, pages: s.pages, job: s.job, of: t, wanted: saved.Attribute, length: saved.Length,
		stage: max(saved.Stage, 0), thread: max(saved.Thread, 0), speed: usualSpeed}
	s.pages.At = max(pageTime, slices.Index(s.pages.Names, saved.Page))
	s.shape = max(0, slices.IndexFunc(arrangements, func(a arrangement) bool { return a.name == saved.Arrangement }))
	if m := saved.Mesh; min(m[0], m[1], m[2]) > 0 && max(m[0], m[1], m[2]) <= longestMesh {
		s.mesh = m
	}
}

// actions returns the actions on the stages.
func (s *stages) actions(in func(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action,
	toggle func(string) tea.Cmd) []action.Action {
	length := in("length", []string{"T"}, "stages: set their length", s.typeLength)
	mesh := in("mesh", []string{"O"}, "stages: set the lengths of the 3-D mesh", s.typeMesh)
	length.Args, mesh.Args = "TIME", "AxBxC"
	return []action.Action{
		in("stages", []string{"t"},
			"show the run in stages: busy time, messages, executions over time, by thread, as a heat map or "+
				"animated; again: the findings", toggle).With(
			in("attribute", []string{"v"},
				"stages: show the next attribute: busy, overhead, idle, messages, executions, regions of code",
				s.in("views", func() tea.Cmd { return s.nextAttribute(1) })),
			in("attribute-back", []string{"V"}, "stages: show the previous attribute",
				s.in("function", func() tea.Cmd { return s.nextAttribute(-1) })),
			in("shorter", []string{"+"}, "stages: make them half as long",
				s.in("zoom in", func() tea.Cmd { return s.scale(0.5) })),
			in("longer", []string{"-", "_"}, "stages: make them twice as long",
				s.in("zoom out", func() tea.Cmd { return s.scale(2) })),
			in("play", []string{"space"}, "stages: play the animation; again: stop", s.in("select", s.play)),
			in("faster", []string{">"}, "stages: play twice as fast",
				s.in("play", func() tea.Cmd { return s.faster(2) })),
			in("slower", []string{"<"}, "stages: play half as fast",
				s.in("play back", func() tea.Cmd { return s.faster(0.5) })),
			in("arrange", []string{"o"},
				"stages: arrange the threads of the animation as a ring, spanning tree, mesh or 3-D mesh",
				s.in("outlier", func() tea.Cmd {
					s.shape, s.pages.At = (s.shape+1)%len(arrangements), pageAnimation
					return nil
				})),
			length, mesh,
		),
	}
}

// missing explains why there are no stages.
func (s *stages) missing() error {
	if s.err != nil {
		return s.err
	}
	return errors.New("the run is not divided into stages yet")
}

// in runs an action on the stages; on another page the key keeps its usual meaning.
func (s *stages) in(usual string, do func() tea.Cmd) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		switch {
		case s.pages.At < pageTime:
			s.sc.Do(pane.Run{Action: usual})
			return nil
		case s.grid == nil:
			return s.sc.Refuse(s.missing())
		}
		return do()
	}
}

// sync computes the attribute of a diagnosed run if it is missing.
func (s *stages) sync(t *timeline.Trace, r *diagnose.Result) tea.Cmd {
	if r == nil {
		return nil
	}
	if s.from != r {
		s.job.Stop()
		s.begin(t, r)
	}
	if s.err != nil || s.job.What() != "" || s.grid != nil && s.grid.Length == s.length &&
		s.grid.Attribute.Key == s.attributes[s.attribute].Key {
		return nil
	}
	length, list, at, wanted := s.length, s.attributes, s.attribute, s.wanted
	return s.job.Start("dividing the run", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		if list == nil {
			list = r.Attributes()
			at = max(0, slices.IndexFunc(list, func(a breakdown.Attribute) bool { return a.Key == wanted }))
		}
		grid, err := r.Grid(ctx, list[at], length)
		return func() tea.Cmd {
			s.take(list, at, grid, err)
			return nil
		}
	})
}

func (s *stages) forget(t *timeline.Trace) {
	if s.of == t {
		s.job.Stop()
		*s = stages{sc: s.sc, pages: s.pages, job: s.job}
	}
}

// verified notes that a new diagnosis with the same stages has replaced another.
func (s *stages) verified(old, now *diagnose.Result) {
	if s.from == old {
		s.from = now
	}
}

// take shows an attribute of a list.
func (s *stages) take(list []breakdown.Attribute, at int, grid *breakdown.Grid, err error) {
	s.attributes, s.attribute, s.err = list, at, err
	if err != nil {
		// from a session: there are no stages that could be made longer
		if usual := usualLength(s.from); s.grid == nil && s.length != usual {
			s.length, s.err = usual, nil
		}
		return
	}
	if old := s.grid; old != nil { // keep the same time chosen
		s.stage = int((old.At(s.stage) - grid.Begin) / grid.Length)
	}
	s.grid = grid
	s.stage, s.thread = max(0, min(s.stage, s.grid.Stages-1)), max(0, min(s.thread, s.grid.Threads-1))
}

// moveStage chooses a stage after or before the chosen one.
func (s *stages) moveStage(by int) func() tea.Cmd {
	return func() tea.Cmd {
		s.stage = max(0, min(s.stage+by, s.grid.Stages-1))
		return nil
	}
}

// scale makes stages shorter or longer.
func (s *stages) scale(factor float64) tea.Cmd {
	length := int64(math.Round(float64(s.length) * factor))
	if length < 1 || length >= 2*s.from.Length {
		return s.sc.Refuse(errors.New("stages must not be longer than the run, nor shorter than its unit of time"))
	}
	s.job.Stop()
	s.length, s.err = length, nil
	return nil
}

// typeLength sets the length of stages.
func (s *stages) typeLength(text string) tea.Cmd {
	if s.pages.At < pageTime || s.grid == nil {
		return s.sc.Refuse(errors.New("the stages are not shown: " + s.sc.KeysOf("stages") + " shows them"))
	}
	if text == "" {
		return s.sc.Ask("stages length")
	}
	unit := float64(s.of.Data.Unit.Nanoseconds())
	ns, err := quantity.ParseTime(text, unit)
	if err != nil {
		return s.sc.Refuse(err)
	}
	return s.scale(ns / unit / float64(s.length))
}

// typeMesh sets the lengths of the 3-D mesh.
func (s *stages) typeMesh(text string) tea.Cmd {
	if text == "" {
		return s.sc.Ask("stages mesh")
	}
	var mesh [3]int
	parts := strings.Split(strings.ToLower(text), "x")
	for i, part := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || len(parts) != len(mesh) || n > longestMesh {
			return s.sc.Refuse(fmt.Errorf("%q: the lengths of a 3-D mesh are three numbers, such as 4x4x2", text))
		}
		mesh[i] = n
	}
	if g := s.grid; g != nil && mesh[0]*mesh[1]*mesh[2] < g.Threads {
		return s.sc.Refuse(fmt.Errorf("%s has no room for %d threads", text, g.Threads))
	}
	s.mesh, s.shape = mesh, mesh3D
	if s.pages.At >= pageTime {
		s.pages.At = pageAnimation
	}
	return nil
}

// play starts the animation, or stops it.
func (s *stages) play() tea.Cmd {
	if s.playing != 0 {
		s.playing = 0
		return nil
	}
	s.pages.At, s.playing = pageAnimation, s.sc.NextGen()
	if s.stage == s.grid.Stages-1 {
		s.stage = 0
	}
	return s.sc.After(s.pause(), stageTick{s.playing})
}

func (s *stages) tick(msg stageTick) tea.Cmd {
	if s.pages.At < pageTime || s.playing != msg.gen || s.grid == nil {
		return nil
	}
	if s.stage++; s.stage >= s.grid.Stages-1 {
		s.stage, s.playing = s.grid.Stages-1, 0
		return nil
	}
	return s.sc.After(s.pause(), msg)
}

// chosen returns the chosen stage of the chosen thread, as a place in the timeline.
func (s *stages) chosen() []report.Evidence {
	if s.grid == nil {
		return nil
	}
	from := s.grid.At(s.stage)
	return []report.Evidence{{From: from, To: from + s.grid.Length, Threads: []int32{int32(s.thread)}}}
}
