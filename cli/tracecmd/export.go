package tracecmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/picture"
	screened "pview/render/timeline"
	"pview/semantic/cfg"
	"pview/semantic/series"
)

// Predictor simulates a trace file on a machine, a file or a template, and returns the predicted trace.
type Predictor func(ctx context.Context, a *command.App, path, machine string) (*prv.Trace, error)

// Export writes timelines and histograms as a picture.
func Export(a *command.App, predict Predictor) *cobra.Command {
	x := &exporting{App: a, predict: predict, question: &question{precision: -1}}
	cmd := &cobra.Command{
		Use:   "export TRACE... [CFG...] -o FILE",
		Short: "Write timelines and histograms as a picture: .svg, .png, .pdf, .html",
		Long: "export draws the windows and histograms of Paraver configuration files (.cfg) with title, axis and " +
			"legend, and writes them in the format of FILE's extension: " +
			".svg and .pdf for documents, .png, or .html: one page that zooms and shows values, for a colleague " +
			"without pview. From each configuration it draws what pview stat prints: " +
			"the last histogram or, without one, the last window; with --all everything. Without a configuration it " +
			"draws one window defined by flags (default the state of the threads).\n\n" +
			"Several traces are drawn one below the other on one time axis. With --machine the run predicted for " +
			"that machine is drawn below the measured one.",
		Example: "pview export run.prv -o run.svg\n" +
			"pview export run.prv useful.cfg mpi_stats.cfg -o report.html\n" +
			"pview export run.prv --from 10% --to 12.5s --messages -o phase.pdf --size 1000x600\n" +
			"pview export run.prv --thread \"Last Evt Val\" --event-type 50000001 --stat \"% Time\" -o calls.png " +
			"--scale 2\n" +
			"pview export run.prv --machine ethernet-10g -o network.png",
		Args: func(cmd *cobra.Command, args []string) error {
			if traces, _ := command.Apart(args); len(traces) == 0 {
				return fmt.Errorf("export needs TRACE")
			}
			return nil
		},
		ValidArgsFunction: command.CompleteViewed,
		RunE:              func(cmd *cobra.Command, args []string) error { return x.run(cmd.Context(), args) },
	}
	x.question.flags(cmd)
	f := cmd.Flags()
	f.Lookup("all").Usage = "draw everything in the configurations"
	f.Lookup("precision").Hidden = true
	f.Lookup("stat").Usage = "draw a histogram of this statistic instead of a timeline"
	f.Lookup("analyze").Usage =
		"draw a table of figures of each object instead of a timeline: names of the analyzer's functions, " +
			"comma-separated, or all"
	f.StringVarP(&x.out, "output", "o", "", "`FILE` to write: "+strings.Join(picture.Endings(), ", "))
	f.StringVar(&x.size, "size", "",
		"size of the picture in px, `WIDTHxHEIGHT`, or WIDTH alone (default 1200, as high as the rows need)")
	f.Float64Var(&x.scale, "scale", 1, ".png: pixels per px; 2 for sharp print")
	f.StringVar(&x.title, "title", "", "title (default name and duration of the trace)")
	f.BoolVar(&x.dark, "dark", false, "dark background")
	f.BoolVar(&x.curves, "curves", false, "draw rows as curves of their values instead of colours")
	f.BoolVar(&x.messages, "messages", false, "draw lines from senders to receivers")
	f.StringVarP(&x.machine, "machine", "m", "",
		"draw the run predicted for this machine below the measured one: a Dimemas configuration (.cfg), or a name "+
			"from pview list machines")
	command.CompleteMachineName(cmd)
	return cmd
}

// exporting is the command's flags.
type exporting struct {
	*command.App
	predict                   Predictor
	question                  *question
	out, size, title, machine string
	scale                     float64
	dark, curves, messages    bool
	format                    *picture.Format
	width, height             float64
	cache                     *series.Cache
	first                     *screened.Trace // to which --from and --to refer
	begin, end                int64           // in first
	limited                   bool
	gen                       int
}

func (x *exporting) check(args []string) (err error) {
	if x.out == "" {
		return command.Usagef("export needs -o FILE")
	}
	if x.format, err = command.PictureFormat(x.out); err != nil {
		return command.Usagef("%v", err)
	}
	for _, in := range args {
		if command.SameFile(in, x.out) {
			return command.Usagef("%s: same file as an input, which is never overwritten", x.out)
		}
	}
	if err := command.CheckOutputs(x.out); err != nil {
		return err
	}
	if x.size != "" {
		if x.width, x.height, err = picture.ParseSize(x.size); err != nil {
			return command.Usagef("--size %s: %w", x.size, err)
		}
	}
	if !(x.scale >= 1 && x.scale <= 8) {
		return command.Usagef("--scale %g: must be from 1 to 8", x.scale)
	}
	return nil
}

func (x *exporting) run(ctx context.Context, args []string) error {
	traces, cfgs := command.Apart(args)
	if err := x.check(args); err != nil {
		return err
	}
	if err := x.question.check(len(cfgs)); err != nil {
		return err
	}
	var files []*cfg.File
	for _, name := range cfgs {
		f, err := x.OpenCfg(name)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	x.cache = series.NewCache(max(x.MemoryBytes/command.SeriesShare, 64<<20))
	opened, err := x.openAll(ctx, traces)
	if err != nil {
		return err
	}
	fig := &picture.Figure{Title: x.title, Width: x.width, Height: x.height, Scale: x.scale, Dark: x.dark}
	if fig.Title == "" {
		fig.Title = titleOf(opened[0])
	}
	x.first = opened[0]
	for _, t := range opened {
		panels, err := x.panels(ctx, t, files)
		if err != nil {
			return err
		}
		fig.Panels = append(fig.Panels, panels...)
	}
	x.align(fig.Panels)
	return prv.SaveFile(x.out, func(w io.Writer) error { return fig.Write(w, x.format) })
}

// openAll opens the traces and, with --machine, predicts their runs on another machine.
func (x *exporting) openAll(ctx context.Context, paths []string) (list []*screened.Trace, err error) {
	for _, path := range paths {
		t, err := x.OpenNamed(ctx, path)
		if err != nil {
			return nil, err
		}
		list = append(list, screened.NewTrace(len(list)+1, t))
		if x.machine == "" {
			continue
		}
		predicted, err := x.predict(ctx, x.App, path, x.machine)
		if err != nil {
			return nil, err
		}
		p := screened.NewTrace(len(list)+1, predicted)
		p.Name, p.Predicted = "predicted: "+filepath.Base(x.machine), true
		list = append(list, p)
	}
	return list, nil
}

// titleOf names a trace: its file, how long it ran, on how many tasks.
func titleOf(t *screened.Trace) string {
	tasks := quantity.CountOf(int64(len(t.Data.Tasks)), "task")
	if n := t.Data.NumThreads(); n != len(t.Data.Tasks) {
		tasks += ", " + quantity.CountOf(int64(n), "thread")
	}
	return fmt.Sprintf("%s: %s, %s", prv.Clean(t.Name), quantity.FormatDuration(t.Data.Duration, t.Data.Unit), tasks)
}

// panels returns the drawn parts of a trace.
func (x *exporting) panels(ctx context.Context, t *screened.Trace, files []*cfg.File) (list []picture.Panel,
	err error) {
	s := &session{App: x.App, question: x.question, trace: t.Data}
	if t == x.first {
		if s.begin, s.end, s.limited, err = x.question.limits(t.Data); err != nil {
			return nil, err
		}
		x.begin, x.end, x.limited = s.begin, s.end, s.limited
		// the same times, even if given as percentages of another trace
	} else if s.limited, s.end = x.limited, t.Data.Duration; s.limited {
		s.begin, s.end = x.first.Convert(x.begin, t), x.first.Convert(x.end, t)
	}
	if len(files) == 0 {
		p, err := x.fromFlags(ctx, s, t)
		return []picture.Panel{p}, err
	}
	for _, f := range files {
		some, err := x.fromCfg(ctx, s, t, f)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list, nil
}

// fromFlags draws the window, the histogram or the figures of the flags.
func (x *exporting) fromFlags(ctx context.Context, s *session, t *screened.Trace) (picture.Panel, error) {
	answer, err := s.flags(ctx)
	if err != nil {
		return nil, err
	}
	if p, ok, err := x.counted(ctx, t, answer); ok || err != nil {
		return p, err
	}
	v := screened.NewView(x.next(), t)
	v.Sem = *answer.(*timeline).window
	v.Begin, v.End = s.begin, max(s.end, s.begin+1)
	return x.view(ctx, v, s.limited)
}

// fromCfg draws the part of a configuration that pview stat would print, or all of it.
func (x *exporting) fromCfg(ctx context.Context, s *session, t *screened.Trace, f *cfg.File) (list []picture.Panel,
	err error) {
	bound, notes, err := f.Bind(t.Data, x.question.anyTypes)
	x.Tell(notes)
	if err != nil {
		return nil, err
	}
	for i := range bound.Windows {
		if !x.question.all && (i < len(bound.Windows)-1 || len(bound.Histograms) > 0) {
			continue
		}
		b := &bound.Windows[i]
		v := screened.NewView(x.next(), t)
		x.Tell(v.TakeCfg(b))
		limited := s.limited || b.Begin > 0 || b.End < t.Data.Duration
		if v.Begin, v.End = b.Begin, b.End; s.limited {
			v.Begin, v.End = s.begin, s.end
		}
		p, err := x.view(ctx, v, limited)
		if err != nil {
			return nil, cmp.Or(ctx.Err(), f.Fault(b.Window, err))
		}
		list = append(list, p)
	}
	for i := range bound.Histograms {
		if i < len(bound.Histograms)-1 && !x.question.all {
			continue
		}
		h := bound.Histograms[i]
		if err := h.Refused(); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		p, _, err := x.counted(ctx, t, s.histogram(h))
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: %w: it has no windows", f.Name, command.ErrNothing)
	}
	return list, nil
}

func (x *exporting) next() int { x.gen++; return x.gen }

// view draws a timeline; limited: it does not show the whole run.
func (x *exporting) view(ctx context.Context, v *screened.View, limited bool) (picture.Panel, error) {
	v.Clamp(v.Trace.Data, max(v.Trace.Data.Duration, v.End, 1))
	if x.curves {
		v.Drawing.Graph = true
	}
	if x.messages {
		v.Drawing.Comms = screened.CommsLogical
	}
	if err := v.Complete(screened.Resources{Context: ctx, Cache: x.cache, Gen: &x.gen}); err != nil {
		return nil, err
	}
	p := picture.OfView(v, x.dark)
	p.Note = v.Trace.Name
	if limited {
		p.Note += ", " + quantity.FormatRange(v.Begin, v.End, v.Trace.Data.Unit)
	}
	return p, nil
}

// align gives timelines of whole runs the time axis of the longest.
func (x *exporting) align(panels []picture.Panel) {
	longest := int64(0)
	for _, p := range panels {
		if t, ok := p.(*picture.Timeline); ok && t.Begin == 0 && t.End >= t.Duration {
			longest = max(longest, t.End*t.Unit.Nanoseconds())
		}
	}
	for _, p := range panels {
		if t, ok := p.(*picture.Timeline); ok && t.Begin == 0 && t.End >= t.Duration {
			t.End = max(t.End, longest/t.Unit.Nanoseconds())
		}
	}
}

// counted draws answers that are computed as a whole, histograms and figures; ok is false for a timeline.
func (x *exporting) counted(ctx context.Context, t *screened.Trace, answer printable) (p picture.Panel, ok bool,
	err error) {
	c, ok := answer.(computed)
	if !ok {
		return nil, false, nil
	}
	bar := command.NewProgress(x.Err, "counting")
	err = c.compute(ctx, func(done, total int) { bar.Rows(int64(done), int64(total)) })
	bar.Close()
	if err != nil {
		return nil, true, err
	}
	switch c := c.(type) {
	case *histogram:
		return x.histogram(t, c), true, nil
	case *analysis:
		return x.figures(t, c), true, nil
	}
	return nil, false, nil
}

func (x *exporting) histogram(t *screened.Trace, h *histogram) picture.Panel {
	p := picture.OfTable(h.table, h.table.Plane, x.dark)
	p.Title = prv.Clean(h.Name)
	p.Note = h.table.Statistic.Name
	if h.table.Unit != "" && !strings.Contains(p.Note, h.table.Unit) {
		p.Note += " (" + h.table.Unit + ")"
	}
	if h.table.Third {
		p.Note += ", plane " + prv.Clean(h.table.Planes[h.table.Plane].Label(-1))
	}
	if lost := h.lost(); lost != "" {
		p.Note += "; " + lost
	}
	p.Note += ", " + t.Name
	return p
}

// figures returns the table of an analysis.
func (x *exporting) figures(t *screened.Trace, n *analysis) picture.Panel {
	p := &picture.Table{Title: prv.Clean(n.Window.Name), Note: t.Name, NoShade: true, Cell: n.figure,
		Text: func(v float64, _, _ int) string { return picture.PlainNumber(v) }}
	for _, h := range n.headings(true) {
		p.Columns = append(p.Columns, picture.Heading{Name: h})
	}
	for _, r := range n.answer.Rows {
		p.Rows = append(p.Rows, picture.Heading{Name: r.Name})
	}
	return p
}
