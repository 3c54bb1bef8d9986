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
	"pview/tui/pane"
)

// The run in stages of one length, as Projections shows it: an attribute as a curve over time, by thread, as a heat map
// of both, and as an animation in which each thread is a cell of a ring, tree or mesh.

// stages is the state of these views.
type stages struct {
	shown      bool // in place of the findings
	of         *timeline.Trace
	from       *diagnose.Result // that the attributes are of
	attributes []breakdown.Attribute
	attribute  int
	wanted     string // key of the attribute that a session had; "" or unknown: the first
	length     int64  // of a stage, in the trace's unit
	grid       *breakdown.Grid
	err        error

	page          int
	stage, thread int // the chosen ones
	top           int
	shape         int    // of the animation: row of arrangements
	mesh          [3]int // lengths that the user has typed; 0: none

	greatest greatest // of the colours, as it was computed last

	detail int // 0: the chosen stage is shown in the timeline; -1: not
	// of the heat map, as it was drawn last, with the stages of a column, its width and the lines of a thread
	cells   raster.Rect
	step    int
	wide    int
	tall    int
	playing int // generation of the ticks; 0: it stands still
	speed   float64
	cancel  context.CancelFunc // of the job under way; nil: none
	gen     int
}

// stagesMsg is the end of a job.
type stagesMsg struct {
	gen        int
	attributes []breakdown.Attribute
	attribute  int
	grid       *breakdown.Grid
	err        error
}

// longestMesh bounds the lengths of a mesh.
const longestMesh = 1 << 20

// stageTick is a step of the animation.
type stageTick struct{ gen int }

const (
	usualStages = 50 // about so many at first
	usualSpeed  = 4. // stages a second
	topSpeed    = 32.
)

// stagePages are the views, in the order of their tabs.
var stagePages = []string{"Over time", "By thread", "Heat map", "Animation"}

const (
	pageTime = iota
	pageThreads
	pageHeat
	pageAnimation
)

// toggleStages shows the stages, or the findings again.
func (p *Pane) toggleStages(string) tea.Cmd {
	s := &p.stages
	if !s.shown && p.result() == nil {
		return p.sc.Refuse(errors.New("the run is not diagnosed yet"))
	}
	s.shown, s.playing, p.gap, p.classes.shown = !s.shown, 0, nil, false
	p.stopStages()
	return nil
}

// syncStages computes the attribute if it is shown and not there.
func (p *Pane) syncStages() tea.Cmd {
	s, r := &p.stages, p.result()
	if !s.shown || r == nil {
		return nil
	}
	if s.from != r {
		p.stopStages()
		s.begin(p.sc.View.Trace, r)
	}
	if s.err != nil || s.cancel != nil || s.grid != nil && s.grid.Length == s.length &&
		s.grid.Attribute.Key == s.attributes[s.attribute].Key {
		return nil
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	s.cancel, s.gen = cancel, p.sc.NextGen()
	gen, length, list, at, wanted := s.gen, s.length, s.attributes, s.attribute, s.wanted
	return func() tea.Msg {
		defer cancel()
		if list == nil {
			list = r.Attributes()
			at = max(0, slices.IndexFunc(list, func(a breakdown.Attribute) bool { return a.Key == wanted }))
		}
		grid, err := r.Grid(ctx, list[at], length)
		if ctx.Err() != nil {
			return nil // nobody waits for it any more
		}
		return stagesMsg{gen, list, at, grid, err}
	}
}

// begin begins with the stages of a result. How they are shown stays; what is chosen stays only where it is of the same
// trace.
func (s *stages) begin(t *timeline.Trace, r *diagnose.Result) {
	old := *s
	*s = stages{shown: true, of: t, from: r, length: usualLength(r), page: old.page, shape: old.shape, mesh: old.mesh,
		speed: usualSpeed, detail: -1}
	if old.of != t {
		return
	}
	s.wanted, s.stage, s.thread = old.key(), old.stage, old.thread
	if old.length > 0 && old.length < 2*r.Length {
		s.length = old.length
	}
}

// usualLength is the length of stages at first.
func usualLength(r *diagnose.Result) int64 {
	return int64(figure.RoundStep(float64(max(r.Length/usualStages, 1))))
}

// key is that of the chosen attribute.
func (s *stages) key() string {
	if s.attribute < len(s.attributes) {
		return s.attributes[s.attribute].Key
	}
	return s.wanted
}

// stopStages ends the job.
func (p *Pane) stopStages() bool {
	s := &p.stages
	if s.cancel == nil {
		return false
	}
	s.cancel()
	s.cancel = nil
	return true
}

func (p *Pane) takeStages(msg stagesMsg) {
	s := &p.stages
	if s.gen != msg.gen || s.cancel == nil {
		return
	}
	s.attributes, s.attribute, s.err, s.cancel = msg.attributes, msg.attribute, msg.err, nil
	if msg.err != nil {
		// of a session: there are no stages that could be made longer
		if usual := usualLength(s.from); s.grid == nil && s.length != usual {
			s.length, s.err = usual, nil
		}
		return
	}
	if old := s.grid; old != nil { // the same time stays chosen
		s.stage = int(int64(s.stage) * old.Length / msg.grid.Length)
	}
	s.grid = msg.grid
	s.stage, s.thread = max(0, min(s.stage, s.grid.Stages-1)), max(0, min(s.thread, s.grid.Threads-1))
}

// inStages does something to the stages; while the findings are shown the key keeps its usual meaning.
func (p *Pane) inStages(usual string, do func(s *stages) tea.Cmd) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		if !p.stages.shown {
			p.sc.Do(pane.Run{Action: usual})
			return nil
		}
		if p.stages.grid == nil {
			return nil
		}
		return do(&p.stages)
	}
}

func (s *stages) moveStage(by int) tea.Cmd {
	s.stage = max(0, min(s.stage+by, s.grid.Stages-1))
	return nil
}

func (s *stages) moveThread(by int) {
	if s.grid != nil {
		s.thread = max(0, min(s.thread+by, s.grid.Threads-1))
	}
}

func (s *stages) turn(by int) tea.Cmd {
	s.page = (s.page + by + len(stagePages)) % len(stagePages)
	return nil
}

func (s *stages) nextAttribute(by int) tea.Cmd {
	s.attribute = (s.attribute + by + len(s.attributes)) % len(s.attributes)
	return nil
}

// scale makes stages shorter or longer.
func (p *Pane) scaleStages(s *stages, factor float64) tea.Cmd {
	length := int64(math.Round(float64(s.length) * factor))
	if length < 1 || length >= 2*p.result().Length {
		return p.sc.Refuse(errors.New("stages must not be longer than the run, nor shorter than its unit of time"))
	}
	p.stopStages()
	s.length, s.err = length, nil
	return nil
}

// typeLength sets the length of stages.
func (p *Pane) typeLength(text string) tea.Cmd {
	s := &p.stages
	if !s.shown || s.grid == nil {
		return p.sc.Refuse(errors.New("the stages are not shown: " + p.sc.KeysOf("stages") + " shows them"))
	}
	if text == "" {
		p.sc.Do(pane.Prompt{Action: "stage-length"})
		return nil
	}
	unit := float64(p.sc.View.Trace.Data.Unit.Nanoseconds())
	ns, err := quantity.ParseTime(text, unit)
	if err != nil {
		return p.sc.Refuse(err)
	}
	return p.scaleStages(s, ns/unit/float64(s.length))
}

// typeMesh sets the lengths of the 3-D mesh.
func (p *Pane) typeMesh(text string) tea.Cmd {
	if text == "" {
		p.sc.Do(pane.Prompt{Action: "stages-mesh"})
		return nil
	}
	var mesh [3]int
	parts := strings.Split(strings.ToLower(text), "x")
	for i, part := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || len(parts) != len(mesh) || n > longestMesh {
			return p.sc.Refuse(fmt.Errorf("%q: the lengths of a 3-D mesh are three numbers, such as 4x4x2", text))
		}
		mesh[i] = n
	}
	if g := p.stages.grid; g != nil && mesh[0]*mesh[1]*mesh[2] < g.Threads {
		return p.sc.Refuse(fmt.Errorf("%s has no room for %d threads", text, g.Threads))
	}
	s := &p.stages
	s.mesh, s.shape, s.page = mesh, mesh3D, pageAnimation
	return nil
}

// play starts the animation, or stops it.
func (p *Pane) play(s *stages) tea.Cmd {
	if s.playing != 0 {
		s.playing = 0
		return nil
	}
	s.page, s.playing = pageAnimation, p.sc.NextGen()
	if s.stage == s.grid.Stages-1 {
		s.stage = 0
	}
	return p.sc.After(s.pause(), stageTick{s.playing})
}

// pause is the time that a stage is shown.
func (s *stages) pause() time.Duration { return time.Duration(float64(time.Second) / s.speed) }

func (p *Pane) tick(msg stageTick) tea.Cmd {
	s := &p.stages
	if !s.shown || s.playing != msg.gen || s.grid == nil {
		return nil
	}
	if s.stage++; s.stage >= s.grid.Stages-1 {
		s.stage, s.playing = s.grid.Stages-1, 0
		return nil
	}
	return p.sc.After(s.pause(), msg)
}

// faster changes the speed of the animation.
func (s *stages) faster(factor float64) tea.Cmd {
	s.speed = max(1/topSpeed, min(s.speed*factor, topSpeed))
	return nil
}

// click chooses a cell of the heat map.
func (s *stages) click(x, y int) {
	if s.page == pageHeat && s.grid != nil && s.cells.Has(x, y) {
		s.stage = min((x-s.cells.X)/s.wide*s.step, s.grid.Stages-1)
		s.thread = min(s.top+(y-s.cells.Y)/s.tall, s.grid.Threads-1)
	}
}

// chosenStage is the chosen stage of the chosen thread, to be shown in the timeline.
func (s *stages) chosenStage() []report.Evidence {
	if s.grid == nil {
		return nil
	}
	from := int64(s.stage) * s.grid.Length
	return []report.Evidence{{From: from, To: from + s.grid.Length, Threads: []int32{int32(s.thread)}}}
}

// savedStages is how the stages of a trace are shown, in a session.
type savedStages struct {
	Page        string `json:"page"`
	Attribute   string `json:"attribute,omitempty"`
	Length      int64  `json:"length"` // of a stage, in the trace's unit
	Stage       int    `json:"stage"`
	Thread      int    `json:"thread"`
	Arrangement string `json:"arrangement,omitempty"`
	Mesh        [3]int `json:"mesh,omitzero"`
}

// saved is what a session keeps of the stages while they are shown; nil: they are not.
func (s *stages) saved(t *timeline.Trace) *savedStages {
	if !s.shown || s.of != t {
		return nil
	}
	return &savedStages{stagePages[s.page], s.key(), s.length, s.stage, s.thread, arrangements[s.shape].name, s.mesh}
}

// restore shows the stages as a session had them. What a session does not know keeps its usual value.
func (s *stages) restore(t *timeline.Trace, saved *savedStages) {
	*s = stages{shown: true, of: t, wanted: saved.Attribute, length: saved.Length, stage: max(saved.Stage, 0),
		thread: max(saved.Thread, 0), speed: usualSpeed, detail: -1}
	s.page = max(0, slices.Index(stagePages, saved.Page))
	s.shape = max(0, slices.IndexFunc(arrangements, func(a arrangement) bool { return a.name == saved.Arrangement }))
	if m := saved.Mesh; min(m[0], m[1], m[2]) > 0 && max(m[0], m[1], m[2]) <= longestMesh {
		s.mesh = m
	}
}
