package frameworks

// Parameters typed by the user: the model is updated immediately, without reading the trace again.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pview/insight/frameworks/role"
	"pview/prv/quantity"
)

// ProcessorsSymbol is the parameter for a pipeline's free processors, WorkersSymbol the one for the maximum number of
// workers: inputs of the recommendation that no trace has.
const (
	ProcessorsSymbol = "free"
	WorkersSymbol    = "most"
)

// field links a typed parameter to the model.
type field struct {
	unit string // ns: a time; bytes, ns/byte, "" a number
	most float64
	set  func(r *Report, v float64)
}

// farmFields are the editable parameters of a master with workers, by symbol.
var farmFields = map[string]field{
	"m0":     {"ns", 1e15, func(r *Report, v float64) { r.Farm.Model.M0 = v }},
	"lambda": {"ns/byte", 1e9, func(r *Report, v float64) { r.Farm.Model.PerByte = v }},
	"V": {"bytes", 1e18, func(r *Report, v float64) {
		r.Farm.Model.Volume = v - r.Farm.Model.VolumePerWorker*float64(r.Farm.Workers)
	}},
	"alpha": {"", 1, func(r *Report, v float64) { r.Farm.Model.Given = v }},
	"Tc": {"ns", 1e18, func(r *Report, v float64) {
		r.Farm.Model.Compute = v - r.Farm.Model.ComputePerWorker*float64(r.Farm.Workers)
	}},
	"mu_m":        {"ns", 1e18, func(r *Report, v float64) { r.Farm.Model.Master = v }},
	"mu":          {"ns", 1e18, func(r *Report, v float64) { r.Farm.mean = v }},
	"sigma":       {"ns", 1e18, func(r *Report, v float64) { r.Farm.sigma = v }},
	WorkersSymbol: {"", 1 << 20, func(r *Report, v float64) { r.study.opt.MaxWorkers = int(v) }},
}

// pipelineFields are the editable parameters of a pipeline, in addition to tc_i and v_i.
var pipelineFields = map[string]field{
	"m0":             {"ns", 1e15, func(r *Report, v float64) { r.Pipeline.Model.M0 = v }},
	"lambda":         {"ns/byte", 1e9, func(r *Report, v float64) { r.Pipeline.Model.PerByte = v }},
	ProcessorsSymbol: {"", 4096, func(r *Report, v float64) { r.Pipeline.Free = int(v) }},
}

// stageField is tc_i or v_i.
func (r *Report) stageField(symbol string) (field, bool) {
	kind, number, _ := strings.Cut(symbol, "_")
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(r.Pipeline.Model.Stages) {
		return field{}, false
	}
	switch kind {
	case "tc":
		return field{"ns", 1e18, func(r *Report, v float64) {
			s := &r.Pipeline.Model.Stages[i-1]
			s.Compute = v
			for k := range s.Replicas {
				s.Replicas[k] = v
			}
		}}, true
	case "v":
		return field{"bytes", 1e18, func(r *Report, v float64) { r.Pipeline.Model.Stages[i-1].Bytes = v }}, true
	}
	return field{}, false
}

func (r *Report) field(symbol string) (f field, ok bool) {
	switch {
	case r.Farm != nil:
		f, ok = farmFields[symbol]
	case r.Pipeline != nil:
		if f, ok = pipelineFields[symbol]; !ok {
			f, ok = r.stageField(symbol)
		}
	}
	return f, ok
}

// Editable reports whether a parameter can be typed.
func (r *Report) Editable(symbol string) bool {
	_, ok := r.field(symbol)
	return ok || symbol == "P" && (r.Farm != nil || r.Pipeline != nil)
}

// Set sets a parameter from text such as "20us", "3 MB", "0.5" or sync, and re-evaluates the model. It drops the
// simulator's verdict.
func (r *Report) Set(symbol, text string) error {
	if symbol == "P" {
		return r.setProtocol(text)
	}
	f, ok := r.field(symbol)
	if !ok {
		return fmt.Errorf("%s cannot be edited", symbol)
	}
	v, err := f.parse(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	if v < 0 || v > f.most || (symbol == "Tc" || symbol == "mu") && v == 0 {
		return fmt.Errorf("%s must be >= 0 and at most %g", symbol, f.most)
	}
	f.set(r, v)
	for i := range r.Parameters {
		if p := &r.Parameters[i]; p.Symbol == symbol {
			p.Value = Value{Value: v, Origin: FromUser}
		}
	}
	return r.evaluate()
}

func (f field) parse(text string) (float64, error) {
	switch f.unit {
	case "ns":
		return quantity.ParseTime(text, 1e6)
	case "bytes":
		return quantity.ParseBytes(text)
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, " ns/byte"), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return v, nil
}

func (r *Report) setProtocol(text string) error {
	for _, p := range []role.Protocol{role.Async, role.Sync} {
		if strings.TrimSpace(text) != p.String() {
			continue
		}
		if r.Farm != nil {
			r.Farm.Model.Protocol = p
		} else if r.Pipeline != nil {
			r.Pipeline.Model.Protocol = p
		}
		for i := range r.Parameters {
			if v := &r.Parameters[i]; v.Symbol == "P" {
				v.Unit, v.Value = p.String(), Value{Origin: FromUser}
			}
		}
		return r.evaluate()
	}
	return fmt.Errorf("sends are async or sync")
}

// evaluate applies the model again.
func (r *Report) evaluate() error {
	r.Advice, r.Verdict, r.Warnings = nil, nil, r.Warnings[:r.told:r.told]
	a := r.study
	switch {
	case r.Farm != nil:
		a.use = r.Farm.Model.Link
		return a.evaluateFarm(r.Farm)
	case r.Pipeline != nil:
		a.use = r.Pipeline.Model.Link
		r.Pipeline.model(a)
		a.pipelineAdvice(r.Pipeline)
	}
	return nil
}

// Verify simulates the recommendation.
func (r *Report) Verify(ctx context.Context) (v *Verdict, err error) {
	switch {
	case r.Farm != nil:
		return r.study.checkFarm(ctx, r.Farm)
	case r.Pipeline != nil:
		return r.study.checkPipeline(ctx, r.Pipeline)
	case r.Nested != nil:
		return r.study.checkNested(ctx, r.Nested)
	}
	return nil, fmt.Errorf("a %s cannot be simulated", r.Kind)
}

// Copy returns a report whose model can be verified while the original is edited.
func (r *Report) Copy() *Report {
	c := *r
	a := *r.study
	c.study, a.r = &a, &c
	c.Parameters = slices.Clone(r.Parameters)
	if r.Farm != nil {
		f := *r.Farm
		c.Farm = &f
	}
	if r.Pipeline != nil {
		p := *r.Pipeline
		p.Model.Stages = slices.Clone(p.Model.Stages)
		for i := range p.Model.Stages {
			p.Model.Stages[i].Replicas = slices.Clone(p.Model.Stages[i].Replicas)
		}
		c.Pipeline = &p
	}
	return &c
}
