// Package report holds conclusions about a run as plain data: Document is the answer of an analysis, made of sentences,
// tables, plots, pictures and entries with evidence; Headline opens the answer on a run.
//
// A Finding says what is wrong, what it costs, where to see it, what to do about it, and whether a simulation confirmed
// it. Times are in the trace's unit; threads and messages are rows of the trace.
package report

import (
	"cmp"
	"math"
	"slices"
)

// Confidence is the certainty of a conclusion.
type Confidence uint8

// The confidences.
const (
	Low    Confidence = iota // rests on assumed parameters, or on no code regions at all
	Medium                   // code regions are inferred from calls or lines
	High                     // code regions are named in the trace
)

// String returns the confidence in a word.
func (c Confidence) String() string { return [...]string{"low", "medium", "high"}[c] }

// NoSeverity marks a conclusion without a cost in time.
const NoSeverity = -1

// RuleID identifies the rule that makes a finding. The rules of package diagnose are R01, R02, ...; other analyses use
// a word, such as POP.
type RuleID string

// Kind is the kind of fault in a finding, for programs; "" if none.
type Kind string

// The kinds.
const (
	Imbalance       Kind = "imbalance"
	Noise           Kind = "noise"
	SerialWork      Kind = "serial"
	Replicated      Kind = "replicated"
	LateSend        Kind = "late-sender"
	LateReceive     Kind = "late-receiver"
	Synchronisation Kind = "synchronisation" // a collective operation that is not needed
	SlowCollective  Kind = "collective"
	SmallMessages   Kind = "small-messages"
	MessageSize     Kind = "message-size"
	Pipelining      Kind = "pipelining"
	NoOverlap       Kind = "overlap"
	HotSpot         Kind = "hot-spot"
	Mapping         Kind = "mapping"
	Link            Kind = "link"
	Master          Kind = "master"
	Workers         Kind = "workers"
	Grain           Kind = "grain"
	Order           Kind = "order"
	Polling         Kind = "polling"
	InputOutput     Kind = "io"
	RuntimeSystem   Kind = "runtime"
	Contention      Kind = "contention"
	OtherKind       Kind = "other"
)

// Cause is why computation takes longer; "" if unknown or not about computation.
type Cause string

// The causes.
const (
	ByWork       Cause = "work" // more executions or instructions
	ByIPC        Cause = "ipc"
	ByClock      Cause = "clock"
	ByPreemption Cause = "preemption"
)

// When describes how a loss is spread over the run.
type When string

// The times.
const (
	Steady    When = "steady"
	Growing   When = "growing"
	Shrinking When = "shrinking"
	Once      When = "once"
	Periodic  When = "periodic"
	Moving    When = "moving"
	InPart    When = "part"
)

// Finding is a conclusion.
type Finding struct {
	Rule   RuleID
	Kind   Kind
	Cause  Cause
	When   When
	Repair string // the simulated repair, in the words of --repair; "" if none
	// Candidate is the number of its repair among the changes tried, from 1; 0: none.
	Candidate int
	Name      string // of the rule, in a word
	Key       string // what it is about: findings of one rule with the same key say the same
	Phase     int    // phase group, from 1; 0: several, or the whole run
	Phases    int    // in which it was found; 0: a conclusion on the whole run
	// Severity is the time by which the run would be shorter, an estimate; NoSeverity if that has no meaning.
	Severity float64
	Share    float64 // severity / length of the analysed time
	// Verified is the time by which a simulation of the repair is shorter; see Checked.
	Verified float64
	Checked  Check
	// Unchecked says why there is no verified time.
	Unchecked string
	// Assumed says what the simulation assumed that the trace does not show; "" if nothing important.
	Assumed    string
	Confidence Confidence
	Warning    bool // comes first, whatever it costs
	Title      string
	Advice     string
	Formula    string // with the numbers
	Threads    []int32
	Children   []Finding
	Evidence   []Evidence // the strongest first, at most MaxEvidence
	Total      int        // pieces of evidence in all
}

// Clone returns the finding with its own children and evidence.
func (f *Finding) Clone() Finding {
	c := *f
	c.Evidence, c.Children = slices.Clone(f.Evidence), CloneAll(f.Children)
	return c
}

// CloneAll clones a list.
func CloneAll(list []Finding) []Finding {
	list = slices.Clone(list)
	for i := range list {
		list[i] = list[i].Clone()
	}
	return list
}

// Check is the state of a verification.
type Check uint8

// The states.
const (
	NotChecked Check = iota
	Confirmed        // Verified has a value
	CannotTell       // see Unchecked
)

// confirms is the largest difference between estimate and simulation, as a share of the estimate, that counts as
// confirmed.
const confirms = 0.25

// isConfirmed reports whether the simulated gain is near the estimate.
func (f *Finding) isConfirmed() bool {
	return f.Checked == Confirmed && math.Abs(f.Verified-f.Severity) <= confirms*f.Severity
}

// refutes is the share of the estimate below which a simulated gain refutes the finding.
const refutes = 0.1

// Refuted reports whether a simulation gained hardly anything of the estimate.
func (f *Finding) Refuted() bool { return f.Checked == Confirmed && f.Verified < refutes*f.Severity }

// Evidence is a place in the trace that shows it.
type Evidence struct {
	From, To int64
	Threads  []int32
	Messages []int32
	Why      string
	Cost     float64
}

// MaxEvidence is the number of pieces of evidence kept.
const MaxEvidence = 100

// Show adds a piece of evidence.
func (f *Finding) Show(e Evidence) {
	f.Evidence = append(f.Evidence, e)
	f.Total++
	if len(f.Evidence) >= 4*MaxEvidence {
		f.trim()
	}
}

// trim keeps the strongest evidence.
func (f *Finding) trim() {
	slices.SortStableFunc(f.Evidence, func(a, b Evidence) int {
		return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(a.From, b.From))
	})
	if len(f.Evidence) > MaxEvidence {
		f.Evidence = f.Evidence[:MaxEvidence]
	}
}

// Weight returns the time by which findings are ranked: the verified time, else the largest estimate of the finding and
// its children.
func (f *Finding) Weight() float64 {
	w := f.own()
	if f.Checked == Confirmed {
		return w
	}
	for i := range f.Children {
		w = max(w, f.Children[i].own())
	}
	return w
}

func (f *Finding) own() float64 {
	if f.Checked == Confirmed {
		return f.Verified
	}
	return f.Severity
}

// Rank sorts findings: warnings; then by weight, the largest first; those that a simulation refuted; those without
// severity last. Ties go to the earlier evidence, then the rule.
func Rank(list []Finding) {
	for i := range list {
		list[i].trim()
	}
	class := func(f *Finding) int {
		switch {
		case f.Warning:
			return 0
		case f.Weight() == NoSeverity:
			return 3
		case f.Refuted():
			return 2
		}
		return 1
	}
	begin := func(f *Finding) int64 {
		at := int64(1<<63 - 1)
		for _, e := range f.Evidence {
			at = min(at, e.From)
		}
		return at
	}
	slices.SortStableFunc(list, func(a, b Finding) int {
		if c := cmp.Compare(class(&a), class(&b)); c != 0 {
			return c
		}
		if c := class(&a); c == 1 || c == 2 {
			if c := cmp.Or(cmp.Compare(b.Weight(), a.Weight()), cmp.Compare(begin(&a), begin(&b))); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.Rule, b.Rule)
	})
}
