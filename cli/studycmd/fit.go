package studycmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/insight/studies"
	"pview/prv/quantity"
	"pview/sim/study"
)

// fit fits parameters of the machine to measured times.
type fit struct {
	randomFlags
	tolerance float64
	variants  []string
	rounds    int
	absolute  bool
}

func (q *fit) flags(f *pflag.FlagSet) {
	q.randoms(f)
	f.Float64Var(&q.tolerance, "tolerance", 10, "error of a kept draw, `PERCENT`")
	f.StringArrayVar(&q.variants, "variant", nil,
		"changes to compare side by side, `'NAME=VALUE NAME=VALUE'`; may be repeated")
	f.IntVar(&q.rounds, "rounds", 3, "further rounds of draws around the best one")
	f.BoolVar(&q.absolute, "absolute", false, "best fit by the sum of squared errors in seconds, not of relative ones")
}

func (q *fit) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	f := &study.Fit{Runs: q.runs, Tolerance: q.tolerance / 100, Absolute: q.absolute, Rounds: q.rounds, Seed: q.seed}
	var err error
	if f.Sampling, err = study.SamplingByName(q.sampling); err != nil {
		return nil, command.Usagef("--sampling: %v", err)
	}
	if err := study.CheckRuns(q.runs); err != nil {
		return nil, command.Usagef("--runs: %v", err)
	}
	if len(q.random) == 0 || len(q.correlations) > 0 {
		return nil, command.Usagef("fit needs --random NAME=DENSITY, and takes no --correlation")
	}
	for _, arg := range args {
		b, err := q.benchmark(ctx, arg)
		if err != nil {
			return nil, err
		}
		f.Benchmarks = append(f.Benchmarks, b)
	}
	if f.Variables, err = q.variables(&f.Benchmarks[0].Case, q.random); err != nil {
		return nil, err
	}
	for _, text := range q.variants {
		v, err := parseVariant(text)
		if err != nil {
			return nil, err
		}
		f.Variants = append(f.Variants, v)
	}
	p, err := f.Plan()
	if err != nil {
		return nil, command.Usagef("%w", err)
	}
	t, err := q.made(ctx, p, "fitting")
	if err != nil {
		return nil, err
	}
	return studies.Fit(f, t), nil
}

// parseVariant reads settings that belong together.
func parseVariant(text string) (v study.Variant, err error) {
	var values []study.Value
	for _, setting := range strings.Fields(text) {
		one, err := parseSetting("--variant", setting)
		if err != nil {
			return v, err
		}
		values = append(values, one)
	}
	return study.Variant{Name: text, Apply: func(c *study.Case) {
		for _, one := range values {
			one.Apply(c)
		}
	}}, nil
}

// benchmark reads TRACE=TIME, or TRACE.
func (q *fit) benchmark(ctx context.Context, arg string) (b study.Benchmark, err error) {
	path, text := arg, ""
	if at := strings.LastIndex(arg, "="); at > 0 {
		path, text = arg[:at], arg[at+1:]
	}
	if text != "" {
		if b.Measured, err = quantity.ParseTime(text, 1e9); err != nil {
			return b, command.Usagef("%s: %v", arg, err)
		}
	}
	src, c, err := q.subject(ctx, path)
	if err != nil {
		return b, err
	}
	b.Case = c
	if text == "" {
		ns, ok := src.Baseline.(int64)
		if !ok {
			return b, command.Usagef("%s: name its measured time, %s=TIME: a .dim does not have one", path, path)
		}
		b.Measured = float64(ns)
	}
	return b, nil
}

// fitNetwork fits latency and bandwidth to measured messages.
type fitNetwork struct {
	*studyFlags
	divide         float64
	from, to       sizeFlag
	robust, median bool
}

func (q *fitNetwork) flags(f *pflag.FlagSet) {
	f.Float64Var(&q.divide, "divide", 1, "each time in the file is that of `N` messages")
	f.BoolVar(&q.robust, "robust", false, "median of the slopes between all pairs of messages, instead of least "+
		"squares; messages far from the line are marked")
	f.BoolVar(&q.median, "median", false,
		"of the lines of a size, such as the means of batches, only their median counts")
	f.Var(&q.from, "from", "only messages of at least this size (K, M, G)")
	f.Var(&q.to, "to", "only messages of at most this size (K, M, G)")
}

// sizeFlag is a flag that takes a number of bytes.
type sizeFlag struct{ v float64 }

// String, Set and Type make it a flag value.
func (s *sizeFlag) String() string { return "" }

// Set takes a size.
func (s *sizeFlag) Set(text string) (err error) {
	s.v, err = quantity.ParseBytes(text)
	return err
}

// Type names the value, for the help.
func (s *sizeFlag) Type() string { return "BYTES" }

func (q *fitNetwork) answer(ctx context.Context, args []string) (*studies.Answer, error) {
	path := args[0]
	if !(q.divide > 0) {
		return nil, command.Usagef("--divide %g: must be > 0", q.divide)
	}
	in, err := q.open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var m studies.Messages
	if m.Sizes, m.Times, err = readMessages(path, in); err != nil {
		return nil, err
	}
	for i := len(m.Sizes) - 1; i >= 0; i-- {
		if m.Times[i] /= q.divide; m.Sizes[i] < q.from.v || m.Sizes[i] > q.to.v {
			m.Sizes, m.Times = slices.Delete(m.Sizes, i, i+1), slices.Delete(m.Times, i, i+1)
		}
	}
	if q.median {
		m.Sizes, m.Times = study.MedianBySize(m.Sizes, m.Times)
	}
	var line study.Line
	if q.robust {
		line, m.Outlier, err = study.FitRobust(m.Sizes, m.Times)
	} else {
		line, err = study.FitNetwork(m.Sizes, m.Times)
		m.Outlier = make([]bool, len(m.Sizes))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p, err := line.Plan(path, m.Sizes, m.Times)
	if err != nil {
		return nil, err
	}
	if _, err := q.made(ctx, p, "fitting "+path); err != nil {
		return nil, err
	}
	return studies.Network(line, m), nil
}

// readMessages reads pairs of size and time, ns. Commas, semicolons and tabs separate words like blanks; a heading and
// lines that start with # are skipped.
func readMessages(path string, in io.Reader) (sizes, times []float64, err error) {
	s := bufio.NewScanner(in)
	for n := 1; s.Scan(); n++ {
		words := strings.FieldsFunc(s.Text(), func(r rune) bool { return strings.ContainsRune(" \t,;", r) })
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 2 {
			return nil, nil, fmt.Errorf("%s:%d: must be a size and a time, not %q", path, n, s.Text())
		}
		size, err1 := quantity.ParseBytes(words[0])
		time, err2 := quantity.ParseTime(words[1], 1e9)
		if err1 != nil && err2 != nil && len(sizes) == 0 {
			continue // a heading
		}
		if err1 != nil {
			return nil, nil, fmt.Errorf("%s:%d: size: %w", path, n, err1)
		}
		if err2 != nil {
			return nil, nil, fmt.Errorf("%s:%d: time: %w", path, n, err2)
		}
		sizes, times = append(sizes, size), append(times, time)
	}
	return sizes, times, s.Err()
}
