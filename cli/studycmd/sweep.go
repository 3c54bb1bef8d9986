package studycmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/studies"
	"pview/sim"
	"pview/sim/study"
)

// sweep simulates runs over a range of values.
type sweep struct {
	*studyFlags
	vary     []string
	baseline string
}

func (q *sweep) flags(f *pflag.FlagSet) {
	f.StringArrayVar(&q.vary, "vary", nil, "parameter and its values, `NAME=VALUES`; repeat it for all combinations")
	f.StringVar(&q.baseline, "baseline", "ideal",
		"reference machine of speeds: a configuration (.cfg), a name, or \"machine\" for that of --machine")
}

func (q *sweep) answer(ctx context.Context, paths []string) (*studies.Answer, error) {
	if len(q.vary) == 0 {
		return nil, command.Usagef("sweep needs --vary NAME=VALUES")
	}
	s := &studies.Sweep{Baseline: q.baselineName()}
	for _, text := range q.vary {
		a, err := study.ParseAxis(text)
		if err != nil {
			return nil, command.Usagef("--vary: %v", err)
		}
		s.Axes = append(s.Axes, a)
	}
	// A machine comes first: the others modify it.
	slices.SortStableFunc(s.Axes, func(a, b study.Axis) int {
		return btoi(b.Name == "machine") - btoi(a.Name == "machine")
	})
	base := func(s study.Case) *sim.Machine { return s.Machine }
	if q.baseline != "machine" {
		machine, _, err := command.MachineFor(q.baseline)
		if err != nil {
			return nil, err
		}
		base = func(s study.Case) *sim.Machine { return machine(s.Program) }
	}
	for _, path := range paths {
		_, c, err := q.subject(ctx, path)
		if err != nil {
			return nil, err
		}
		s.Cases = append(s.Cases, c)
	}
	var err error
	s.Points, s.Bases, err = study.Sweep(ctx, s.Cases, s.Axes, base, q.options("sweep", "simulating"))
	if err != nil {
		return nil, err
	}
	q.tell(s.Cases, s.Points, s.Bases)
	if !slices.ContainsFunc(s.Points, func(p study.Point) bool { return p.Err == nil }) {
		return nil, errors.New("none of the simulations succeeded")
	}
	return s.Answer(), nil
}

func (q *sweep) baselineName() string {
	if q.baseline == "machine" {
		return q.machine
	}
	return q.baseline
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tell reports failed simulations on standard error, once per reason.
func (q *sweep) tell(subjects []study.Case, points []study.Point, bases []study.Outcome) {
	told := map[string]bool{}
	say := func(subject int, err error) {
		if err == nil {
			return
		}
		if text := fmt.Sprintf("%s: %v", subjects[subject].Name, err); !told[text] {
			told[text] = true
			q.Say("%s", text)
		}
	}
	for i := range bases {
		if bases[i].Err != nil {
			say(i, fmt.Errorf("baseline: %w", bases[i].Err))
		}
	}
	for i := range points {
		say(points[i].Subject, points[i].Err)
	}
}
