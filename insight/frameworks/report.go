package frameworks

// The report: the structure of a run, its parameters, the models' predictions and recommendations.

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pview/insight/frameworks/role"
	"pview/prv"
	"pview/prv/extrae/device"
	"pview/prv/quantity"
	"pview/sim"
)

// Options are the user's settings.
type Options struct {
	role.Window
	Kind  role.Kind // the structure to look for; Unknown: any
	Roles *role.Roles
	// M0 and PerByte are the cost of a message, ns and ns per byte; nil: from the trace.
	M0, PerByte *float64
	Protocol    *role.Protocol
	// Machine gives start-up and bandwidth if the trace does not.
	Machine *sim.Machine
	// Growth is the growth of the volume per added worker, relative to the measured volume; 0: the data are divided.
	// Proportional gives each worker the volume that one has now.
	Growth       float64
	Proportional bool
	// Further are traces of the same program with other numbers of workers: they determine volume and computation.
	Further          []*prv.Trace
	ComputePerWorker float64          // ns that each worker adds to the computation
	Tasks            int              // of an iteration; 0: as many as chunks
	TaskEvent        *role.EventMatch // begins a task, instead of Tasks
	MaxWorkers       int              // to consider; 0: maxWorkers
	Free             int              // processors for replicas; < 0: one for each stage
	Rules            Rules            // of the policies
	Simulate         bool
}

// Parameter is an input of a model.
type Parameter struct {
	Name   string `json:"name"`
	Symbol string `json:"symbol"`
	Unit   string `json:"unit"`
	Value
}

// Advice is a recommendation.
type Advice struct {
	What       string  `json:"what"`
	Gain       float64 `json:"gain_ns"`    // of an iteration or item
	Share      float64 `json:"gain_share"` // of its time
	Processors int     `json:"processors"` // added
	When       string  `json:"when"`       // condition under which it is safe
	Rests      string  `json:"rests_on"`   // the assumption most likely to break it
	Confidence string  `json:"confidence"` // in a word or two
	Workers    int     `json:"workers,omitempty"`
	Replicas   []int   `json:"replicas,omitempty"`
}

// Report is the result of an analysis.
type Report struct {
	Ptask       int               `json:"ptask"`
	Kind        string            `json:"kind"`
	Told        bool              `json:"told,omitempty"`
	Roles       *role.Roles       `json:"-"`
	Structure   []string          `json:"structure"`
	Scores      []ScoreRow        `json:"scores,omitempty"`
	Refusal     string            `json:"refusal,omitempty"`
	Parameters  []Parameter       `json:"parameters,omitempty"`
	Farm        *FarmReport       `json:"master_worker,omitempty"`
	Pipeline    *PipelineReport   `json:"pipeline,omitempty"`
	Nested      *NestedReport     `json:"nested,omitempty"`
	Fit         *Fit              `json:"fit,omitempty"`
	Advice      []Advice          `json:"advice,omitempty"`
	Warnings    []quantity.Text   `json:"warnings,omitempty"`
	Verdict     *Verdict          `json:"verification,omitempty"`
	Recognition *role.Recognition `json:"-"`
	Ptasks      int               `json:"-"` // of the trace
	Other       *role.Roles       `json:"-"` // those of another ptask, if this one is refused and that one is not
	study       *study
	told        int // number of warnings on the trace, which precede those of the model
}

// Fit is the distance of a model from the measured run, of an iteration or item. A model holds, and makes
// recommendations, if it meets the run within 10 %.
type Fit struct {
	Model    float64 `json:"model_ns"`
	Measured float64 `json:"measured_ns"`
	Off      float64 `json:"off"` // model over measured, minus 1
	Holds    bool    `json:"holds"`
}

// Meets reports whether a time of a model is as close to the measured one as a recommendation requires.
func Meets(model, measured float64) bool {
	return measured > 0 && math.Abs(model/measured-1) <= reproduce
}

// compare sets the distance of the model from the measured run, and reports whether the model holds. A model that held
// still does when a user types other parameters, as what-if questions; one that did not may hold with them.
func (a *study) compare(model, measured float64) bool {
	if f := a.r.Fit; f == nil || !f.Holds {
		a.r.Fit = &Fit{Model: model, Measured: measured, Holds: Meets(model, measured)}
		if measured > 0 {
			a.r.Fit.Off = model/measured - 1
		}
	}
	if !a.r.Fit.Holds {
		a.r.warn("%s", a.r.Fit)
	}
	return a.r.Fit.Holds
}

// String says how far off a model is.
func (f *Fit) String() string {
	if f.Holds {
		return fmt.Sprintf("the model meets the measured point (%s)", quantity.FormatChange(f.Off))
	}
	return fmt.Sprintf("the model does not hold: it gives %s for the measured %s (%s)", short(f.Model),
		short(f.Measured), quantity.FormatChange(f.Off))
}

// ScoreRow is a score for display.
type ScoreRow struct {
	Kind     string  `json:"kind"`
	Score    float64 `json:"score"`
	Accepted bool    `json:"accepted"`
	Why      string  `json:"why"`
}

// errNoComputation is returned if nothing separates computation from communication.
var errNoComputation = errors.New("the trace has neither states nor MPI calls: computation cannot be told from " +
	"communication (a roles file with compute event TYPE=VALUE tells it)")

// errStreams is returned for traces of devices: roles are for tasks that compute between their messages.
var errStreams = errors.New("some threads are streams of devices, which have no roles here: they wait for " +
	"launches by the host, not for messages of tasks; pview devices and pview diagnose show their time")

// Analyse recognises a structure, or takes the specified one, reads its parameters and applies its model. A report with
// a Refusal has no numbers.
func Analyse(ctx context.Context, t *prv.Trace, opt Options) (*Report, error) {
	if device.Streams(t) > 0 {
		return nil, errStreams
	}
	r := &Report{Ptask: opt.Ptask + 1, Ptasks: len(t.Ptasks), Roles: opt.Roles}
	if opt.Roles == nil {
		found, err := recognise(ctx, t, opt)
		if err != nil {
			return nil, err
		}
		r.Recognition, r.Roles, r.Refusal = found, found.Roles, found.Refusal
		for _, s := range found.Scores {
			r.Scores = append(r.Scores, ScoreRow{s.Kind.String(), s.Value, s.Accepted, s.Why})
		}
	} else {
		opt.Ptask = opt.Roles.Ptask
		r.Ptask, r.Told = opt.Ptask+1, true
	}
	if r.Roles == nil {
		r.Kind = role.Unknown.String()
		var err error
		r.Other, err = recogniseOther(ctx, t, opt)
		return r, err
	}
	if !measurable(t) && r.Roles.Compute == nil {
		return nil, errNoComputation
	}
	if opt.TaskEvent != nil {
		roles := *r.Roles
		roles.TaskEvent = opt.TaskEvent
		r.Roles = &roles
	}
	r.Kind = r.Roles.Kind.String()
	r.Structure = r.Roles.Describe(t)
	a := &study{t: t, opt: opt, r: r, net: readLink(t, opt.Window, r.Roles)}
	r.study = a
	a.link()
	var err error
	switch r.Roles.Kind {
	case role.MasterWorker:
		err = a.farm(ctx)
	case role.PipelineOf:
		err = a.pipeline(ctx)
	case role.NestedOf:
		err = a.nested(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// recognise recognises the structure of a ptask.
func recognise(ctx context.Context, t *prv.Trace, opt Options) (*role.Recognition, error) {
	found, err := role.Recognise(ctx, t, opt.Window)
	if err == nil && opt.Kind != role.Unknown {
		found.Only(opt.Kind)
	}
	return found, err
}

// recogniseOther returns the roles of the first other ptask that has a structure, nil if none.
func recogniseOther(ctx context.Context, t *prv.Trace, opt Options) (*role.Roles, error) {
	refused := opt.Ptask
	for opt.Ptask = range t.Ptasks {
		if opt.Ptask == refused {
			continue
		}
		if found, err := recognise(ctx, t, opt); err != nil || found.Roles != nil {
			return found.Roles, err
		}
	}
	return nil, nil
}

// study is an analysis under way.
type study struct {
	t   *prv.Trace
	opt Options
	r   *Report
	net linkRun
	use Link
}

// link decides on the cost of a message: typed, else from the trace, else from the machine.
func (a *study) link() {
	n := &a.net
	roles := a.r.Roles
	pick := func(v *Value, typed, told *float64, machine func(m *sim.Machine) float64) {
		switch {
		case typed != nil:
			*v = Value{Value: *typed, Origin: FromUser}
		case told != nil:
			*v = Value{Value: *told, Origin: FromUser, Note: "roles file"}
		case v.Origin != FromTrace && a.opt.Machine != nil && len(a.opt.Machine.Nodes) > 0:
			*v = Value{Value: machine(a.opt.Machine), Origin: FromUser, Note: "machine"}
		}
	}
	pick(&n.PerByte, a.opt.PerByte, roles.PerByte, func(m *sim.Machine) float64 {
		if bw := m.Clusters[m.Nodes[0].Cluster].Bandwidth; bw > 0 {
			return 1e9 / (bw * (1 << 20))
		}
		return 0
	})
	pick(&n.M0, a.opt.M0, roles.M0, func(m *sim.Machine) float64 { return m.Nodes[0].Latency })
	protocol := Parameter{Name: "sends", Symbol: "P", Unit: n.Protocol.String(),
		Value: Value{Origin: FromTrace, Note: n.Seen}}
	for _, p := range []*role.Protocol{roles.Protocol, a.opt.Protocol} {
		if p != nil {
			n.Protocol = *p
			protocol.Unit, protocol.Value = p.String(), Value{Origin: FromUser}
		}
	}
	a.use = Link{M0: n.M0.Value, PerByte: n.PerByte.Value, Protocol: n.Protocol}
	a.r.Parameters = append(a.r.Parameters,
		Parameter{"start-up of a message", "m0", "ns", n.M0},
		Parameter{"cost of a byte", "lambda", "ns/byte", n.PerByte}, protocol)
	if n.Backward > 0 {
		a.r.warn("%s", n.early())
	}
	for _, v := range []Value{n.M0, n.PerByte} {
		if v.Origin == Assumed {
			a.r.warn("the cost of messages is assumed to be 0 in part: %s", v.Note)
			break
		}
	}
	if e, l := n.Early, n.Late; e.Samples >= 10 && l.Samples >= 10 && l.Value > 2*e.Value {
		a.r.warn("a send takes %s where the receiver waits and %s where it comes later (medians of %s and %s)",
			short(e.Value), short(l.Value), quantity.FormatCount(int64(e.Samples)), quantity.FormatCount(int64(l.Samples)))
	}
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, quantity.Textf(format, args...))
}

// ns turns times of a trace into ns.
func (a *study) ns(v float64) float64 { return v * float64(a.t.Unit.Nanoseconds()) }

// nsValue returns measured in ns.
func (a *study) nsValue(list []float64, middle bool) Value {
	v := measured(list, middle)
	v.Value, v.Spread = a.ns(v.Value), a.ns(v.Spread)
	return v
}
