package studycmd

// Studies of measured times.

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/floats"

	"pview/cli/command"
	"pview/insight/studies"
	"pview/prv/quantity"
	"pview/sim/study"
)

// stability compares the spread of measured times with that of their predictions.
type stability struct{ *studyFlags }

func (q *stability) flags(*pflag.FlagSet) {}

func (q *stability) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	elapsed, predicted := make([]float64, len(args)), make([]float64, len(args))
	var cases []study.Case
	var at []int
	for i, arg := range args {
		var known bool
		if elapsed[i], predicted[i], known = parseTwo(arg); known {
			continue
		}
		src, c, err := q.subject(ctx, arg)
		if err != nil {
			return nil, err
		}
		ns, known := src.Baseline.(int64)
		if !known {
			return nil, command.Usagef("%s: a .dim has no measured time", arg)
		}
		elapsed[i], cases, at = float64(ns), append(cases, c), append(at, i)
	}
	if len(cases) > 0 {
		outcomes, err := study.Run(ctx, cases, q.options("stability", "simulating"))
		if err != nil {
			return nil, err
		}
		for k, o := range outcomes {
			if o.Err != nil {
				return nil, fmt.Errorf("%s: %w", args[at[k]], o.Err)
			}
			predicted[at[k]] = float64(o.Total)
		}
	}
	measured, err := study.Spread(elapsed)
	if err != nil {
		return nil, command.Usagef("elapsed times: %v", err)
	}
	simulated, err := study.Spread(predicted)
	if err != nil {
		return nil, fmt.Errorf("predicted times: %w", err)
	}
	a := studies.Stability(args, elapsed, predicted, measured, simulated)
	if len(cases) == 0 {
		a.Plan, a.Runs = &study.Plan{Kind: "stability", Title: "measured times"}, &study.Table{}
	}
	return a, nil
}

// parseTwo reads two times separated by a slash, in ns.
func parseTwo(text string) (x, y float64, ok bool) {
	one, two, ok := strings.Cut(text, "/")
	x, err1 := quantity.ParseTime(one, 1e9)
	y, err2 := quantity.ParseTime(two, 1e9)
	return x, y, ok && err1 == nil && err2 == nil
}

// share measures how well programs share processors.
type share struct{ *studyFlags }

func (q *share) flags(*pflag.FlagSet) {}

func (q *share) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	var names []string
	var alone, shared []float64
	for _, text := range args {
		name, times, ok := strings.Cut(text, "=")
		x, y, known := parseTwo(times)
		if !ok || !known {
			return nil, command.Usagef("%q must be NAME=ALONE/SHARED, such as FFT=9.16/34.57 or FFT=12ms/40ms", text)
		}
		names, alone, shared = append(names, name), append(alone, x/1e9), append(shared, y/1e9)
	}
	s, err := study.Share(alone, shared)
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	p, err := s.Plan(names, nanosecondsOf(alone), nanosecondsOf(shared))
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	if _, err := q.made(ctx, p, "comparing"); err != nil {
		return nil, err
	}
	return studies.Sharing(s, names, alone, shared), nil
}

// nanosecondsOf converts times in seconds to a study's unit.
func nanosecondsOf(seconds []float64) []float64 {
	list := slices.Clone(seconds)
	floats.Scale(1e9, list)
	return list
}

// accuracy compares predicted with measured times.
type accuracy struct{ *studyFlags }

func (q *accuracy) flags(*pflag.FlagSet) {}

func (q *accuracy) answer(_ context.Context, args []string) (*studies.Answer, error) {
	in, err := q.open(args[0])
	if err != nil {
		return nil, err
	}
	defer in.Close()
	list, err := study.ReadCompared(args[0], in)
	if err != nil {
		return nil, err
	}
	return studies.Accuracy(list), nil
}

// open opens a file; "-" is standard input.
func (s *studyFlags) open(path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(s.In), nil
	}
	return os.Open(path)
}
