package studycmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv/quantity"
	"pview/render/document"
	"pview/sim/parameter"
	"pview/sim/study"
)

// fitNetwork fits latency and bandwidth to measured messages.
func fitNetwork(a *command.App) *cobra.Command {
	q := &fitQuestion{studyFlags: studyFlags{App: a}, from: sizeFlag{}, to: sizeFlag{v: 1 << 60}}
	cmd := &cobra.Command{
		Use:   "fit-network FILE",
		Short: "Fit latency and bandwidth to the times of a ping-pong",
		Long: "fit-network reads sizes and times of messages, a pair per line (\"65536 817us\"; sizes in bytes or with K, M, G, times in seconds or with a unit; \"-\" is standard input), and fits " +
			"time = latency + size/bandwidth by least squares. Short and long messages often lie on different lines: fit over the sizes that the application uses (--from, --to). " +
			"For the round trips of a ping-pong over n repetitions use --divide 2n.",
		Example: "pview study fit-network pingpong.txt\n" +
			"pview study fit-network sums.txt --divide 128 --to 1024",
		Args: command.Needs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return q.run(cmd.Context(), args[0]) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Float64Var(&q.divide, "divide", 1, "each time in the file is that of `N` messages")
	f.BoolVar(&q.robust, "robust", false,
		"median of the slopes between all pairs of messages, instead of least squares; messages far from the line are marked")
	f.BoolVar(&q.median, "median", false,
		"of the lines of a size, such as the means of batches, only their median counts")
	f.Var(&q.from, "from", "only messages of at least this size (K, M, G)")
	f.Var(&q.to, "to", "only messages of at most this size (K, M, G)")
	q.store.briefFlags(f)
	q.plot.flags(f)
	return cmd
}

// fitQuestion is the command's flags.
type fitQuestion struct {
	studyFlags
	divide         float64
	from, to       sizeFlag
	robust, median bool
}

// sizeFlag is a flag that takes a number of bytes.
type sizeFlag struct{ v float64 }

// String, Set and Type make it a flag's value.
func (s *sizeFlag) String() string { return "" }

// Set takes a size.
func (s *sizeFlag) Set(text string) (err error) {
	s.v, err = quantity.ParseBytes(text)
	return err
}

// Type names the value, for the help.
func (s *sizeFlag) Type() string { return "BYTES" }

func (q *fitQuestion) run(ctx context.Context, path string) error {
	if err := q.plot.Check(); err != nil {
		return err
	}
	if !(q.divide > 0) {
		return command.Usagef("--divide %g: must be > 0", q.divide)
	}
	in := q.In
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	sizes, times, err := readMessages(path, in)
	if err != nil {
		return err
	}
	for i := len(sizes) - 1; i >= 0; i-- {
		if times[i] /= q.divide; sizes[i] < q.from.v || sizes[i] > q.to.v {
			sizes, times = slices.Delete(sizes, i, i+1), slices.Delete(times, i, i+1)
		}
	}
	if q.median {
		sizes, times = study.MedianBySize(sizes, times)
	}
	line, outlier, err := q.fit(sizes, times)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	p, err := line.Plan(path, sizes, times)
	if err != nil {
		return err
	}
	t, err := q.made(ctx, p, "fitting "+path)
	if err != nil {
		return err
	}
	return q.print(p, t, fitted{sizes, times, outlier}, line)
}

// fitted are the messages of a fit, and which of them are far from the line.
type fitted struct {
	sizes, times []float64
	outlier      []bool
}

// fit returns a line; messages far from it are looked for where that is asked for.
func (q *fitQuestion) fit(sizes, times []float64) (study.Line, []bool, error) {
	if q.robust {
		return study.FitRobust(sizes, times)
	}
	line, err := study.FitNetwork(sizes, times)
	return line, make([]bool, len(sizes)), err
}

// readMessages reads pairs of size and time, ns. Commas, semicolons and tabs separate like blanks; a heading and lines
// that start with # are skipped.
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

func (q *fitQuestion) print(p *study.Plan, runs *study.Table, f fitted, l study.Line) error {
	sizes, times := f.sizes, f.times
	out := &command.Table{Columns: []command.Column{{Key: "bytes", Title: "Bytes", Show: func(v any) string {
		return command.Count(int64(v.(float64)))
	}},
		{Key: "time_ns", Title: "Time", Show: command.AsTime}, {Key: "line_ns", Title: "Fitted", Show: command.AsTime},
		{Key: "error", Title: "Error", Show: command.AsPercent}, {Key: "outlier", Title: "", Show: func(v any) string {
			return map[bool]string{true: "outlier"}[v.(bool)]
		}}}}
	for i := range sizes {
		var e any
		if times[i] > 0 {
			e = l.Time(sizes[i])/times[i] - 1
		}
		out.Add(sizes[i], times[i], l.Time(sizes[i]), e, f.outlier[i])
	}
	answer := fittedAnswer(l, out)
	if err := q.writePage(p, runs, answer); err != nil {
		return err
	}
	switch q.Format.Value {
	case "json":
		return command.WriteJSON(q.Out, studyObject(p, runs, command.Field{Key: "latency_ns", Value: l.Latency},
			command.Field{Key: "bandwidth_mb_s", Value: command.FiniteOrNone(l.Bandwidth)},
			command.Field{Key: "per_byte_ns", Value: l.PerByte()},
			command.Field{Key: "r2", Value: command.FiniteOrNone(l.Fit)},
			command.Field{Key: "messages", Value: out.Objects()}))
	case "table":
		return q.PrintAnswer(answer...)
	}
	t := &command.Table{Columns: []command.Column{{Key: "latency_ns"}, {Key: "bandwidth_mb_s"}, {Key: "r2"},
		{Key: "messages"}}}
	t.Add(l.Latency, command.FiniteOrNone(l.Bandwidth), command.FiniteOrNone(l.Fit), int64(len(sizes)))
	return document.WriteTable(q.Out, t, q.Format.Value)
}

// fittedAnswer says what a machine with the line is.
func fittedAnswer(l study.Line, messages *command.Table) []command.Passage {
	latency, bandwidth := parameter.ByName("latency"), parameter.ByName("bandwidth")
	pairs := [][2]string{{"Latency", command.Nanoseconds(l.Latency)}, {"Bandwidth", bandwidth.Show(l.Bandwidth)},
		{"Fit", fmt.Sprintf("R2 = %.5f over %s", l.Fit, command.Plural(int64(len(messages.Rows)), "message"))}}
	text := "\nNegative latency or bandwidth: fit fewer sizes (--from, --to)\n\n"
	if l.Latency >= 0 && l.Bandwidth > 0 {
		text =
			fmt.Sprintf(
				"\nAs a machine: --set latency=%s --set bandwidth=%s\nIn a model of a direct network: link-speed %.6g %.6g\n\n", latency.Format(math.Round(l.Latency)), strings.ReplaceAll(bandwidth.Show(l.Bandwidth), " ", ""), l.Latency/1e9, l.PerByte()/1e9)
	}
	return []command.Passage{{Pairs: pairs}, {Text: text, Table: messages}}
}
