package remedy

// User-written changes of message-driven runs, and the causal profile of these runs.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pview/insight/replay"
	"pview/prv/quantity"
)

// Deviation implements Replayed.
func (r *DrivenRun) Deviation() float64 { return deviation(r.Base, r.End, r.Length) }

// Note counts executions that no change can make begin earlier.
func (r *DrivenRun) Note() string {
	n := 0
	for i := range r.Units {
		if u := &r.Units[i]; u.Creator < 0 && int32(i) > r.FirstUnit[u.Thread] {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s have no recorded message: nothing else lets them begin earlier",
		quantity.FormatCount(int64(n)),
		quantity.CountOf(int64(len(r.Units)), "execution"))
}

// Try simulates user-written changes, all at once.
func (r *DrivenRun) Try(specs []string) (*Trial, error) {
	all := &replay.DrivenEdit{}
	for _, text := range changesIn(specs) {
		s, err := parse(r.Graph, text)
		if err != nil {
			return nil, err
		}
		edit, err := s.Action.driven(r, s)
		if err != nil {
			return nil, fmt.Errorf("repair %q: %w", text, err)
		}
		all = all.Join(edit)
	}
	gain, err := r.Replay(all, nil)
	if err != nil {
		return nil, fmt.Errorf("with the repair: %w", err)
	}
	base := r.Length + r.Base - r.End
	return &Trial{Specs: specs, Base: base, End: base - gain, Measured: r.Length, Note: r.Note()}, r.ctx.Err()
}

// means reports whether a change applies to a class of units, and to threads.
func (r *DrivenRun) means(s *Spec, class int32, threads ...int32) bool {
	return (s.Region == "" || class >= 0 && r.ClassName(class) == s.Region) && (s.Threads == nil ||
		slices.ContainsFunc(threads, func(th int32) bool { return slices.Contains(s.Threads, th) }))
}

// faster shortens executions of entry methods by a share.
func (r *DrivenRun) faster(s *Spec) (*replay.DrivenEdit, error) {
	share, err := percentOf(s.Parameter)
	if err != nil {
		return nil, err
	}
	e := &replay.DrivenEdit{}
	r.lessTime(e, share, func(class, thread int32) bool { return r.means(s, class, thread) })
	if len(e.Changes) == 0 {
		return nil, noCode(s)
	}
	return e, nil
}

// lessTime removes a share of the time of some units, and returns their time.
func (r *DrivenRun) lessTime(e *replay.DrivenEdit, share float64, of func(class, thread int32) bool) (time int64) {
	for i := range r.Units {
		if u := &r.Units[i]; of(u.Class, u.Thread) {
			e.Changes = append(e.Changes, replay.Change{Kind: replay.OfTime, Thread: u.Thread, From: u.Begin, To: u.End,
				Factor: 1 - share})
			time += u.End - u.Begin
		}
	}
	return time
}

// balance moves executions of an entry method, or of all objects or executions, to processors with less work.
func (r *DrivenRun) balance(s *Spec) (*replay.DrivenEdit, error) {
	if s.Parameter != "" {
		return nil, errors.New("executions of entry methods are in no order that all processors share")
	}
	var moves map[int32]int32
	if s.Region == "" {
		load, _ := r.loads()
		moves, _ = r.even(load)
	} else {
		classes, by := r.executions()
		k := slices.IndexFunc(classes, func(class int32) bool { return r.means(s, class) })
		if k < 0 {
			return nil, noCode(s)
		}
		moves = r.spread(slices.Concat(by[classes[k]]...))
	}
	if len(moves) == 0 {
		return nil, errors.New("no execution can move to a processor with less work")
	}
	return &replay.DrivenEdit{Moves: moves}, nil
}

// asOthers makes entry methods take as long on some processors as on the others.
func (r *DrivenRun) asOthers(s *Spec) (*replay.DrivenEdit, error) { return r.meant(s, r.slower()) }

// enumerated returns an action that only the enumeration provides.
func (r *DrivenRun) enumerated(s *Spec) (*replay.DrivenEdit, error) {
	var list []*Candidate
	for i := range drivenEntries {
		for _, c := range drivenEntries[i].find(r) {
			if action, _, _ := strings.Cut(c.Spec, ":"); action == s.Action.Name {
				list = append(list, c)
			}
		}
	}
	return r.meant(s, list)
}

// meant returns the combined change of the candidates to which a change applies.
func (r *DrivenRun) meant(s *Spec, list []*Candidate) (*replay.DrivenEdit, error) {
	var edits []*replay.DrivenEdit
	for _, c := range list {
		if r.means(s, c.Region, c.Threads...) {
			edits = append(edits, c.Driven)
		}
	}
	if len(edits) == 0 {
		return nil, nothingTo(s)
	}
	return joined(edits), nil
}

// CausalProfile implements Replayed: its regions are entry methods.
func (r *DrivenRun) CausalProfile() ([]Causal, error) {
	var classes []int32
	times := map[int32]int64{}
	for i := range r.Units {
		u := &r.Units[i]
		if _, ok := times[u.Class]; !ok {
			classes = append(classes, u.Class)
		}
		times[u.Class] += u.End - u.Begin
	}
	classes = slices.DeleteFunc(classes, func(c int32) bool { return !r.significant(float64(times[c])) })
	slices.Sort(classes)
	return causalProfile(r.ctx, classes, r.ClassName, func(class int32, share float64) (gain, time int64) {
		e := &replay.DrivenEdit{}
		time = r.lessTime(e, share, func(c, _ int32) bool { return c == class })
		return r.Gain(e), time
	})
}
