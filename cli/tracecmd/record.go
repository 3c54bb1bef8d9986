package tracecmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/format"
	"pview/prv/quantity"
	"pview/prv/record"
	"pview/sim/dimemas"
)

// recorder is a run of pview record.
type recorder struct {
	*command.App
	out, mpicc    string
	buffer, limit string
	keep          bool
	archive       string // folder to write libpview.a to
	settings      record.Settings
	remove        func() // removes the folder of the compiled library, if temporary
	watched       bool
	steering      *steering // nil: the program is not steered
	view          func(cmd *cobra.Command, path string) error
}

// Record runs an MPI program and writes its trace. view shows a trace that is being written.
func Record(a *command.App, view func(cmd *cobra.Command, path string) error) *cobra.Command {
	r := &recorder{App: a, view: view}
	cmd := &cobra.Command{
		Use:   "record COMMAND [ARGUMENT...]",
		Short: "Run an MPI program and write its trace",
		Long: "record runs COMMAND, which starts an MPI program in C, C++ or Fortran, and writes the trace of its " +
			"MPI calls and messages: app.prv with .pcf and .row. The program is neither changed nor relinked: a " +
			"library is compiled with its MPI compiler, once, and loaded into it. Open MPI and MPICH (and others of " +
			"its ABI: Intel MPI), on Linux. The exit status is the program's. If the program is killed, the record " +
			"up to then is kept. Each call is recorded with its callers in the program. MPI_Pcontrol(0) stops " +
			"recording, MPI_Pcontrol(1) resumes it. Nothing is overwritten unless -o names it.",
		Example: "pview record mpirun -np 8 ./app\n" +
			"pview record -o first.prv mpiexec -n 8 ./app input.txt\n" +
			"pview record srun -n 64 ./app\n" +
			"pview record --cpu-time mpirun -np 64 ./app\n" +
			"pview record --watch mpirun -np 8 ./app\n" +
			"pview record --mpicc mpicc.mpich mpiexec.mpich -n 4 ./app\n" +
			"pview record --counters instructions,cycles mpirun -np 8 ./app\n" +
			"pview record --only-after 90s mpirun -np 8 ./app\n" +
			"pview record --library lib && mpicc -Ilib -o app app.c -Llib -lpview",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.archive != "" && len(args) == 0 {
				return r.writeLibrary(cmd.Context())
			}
			switch {
			case len(args) == 0:
				return command.Usagef("record needs COMMAND: pview record mpirun -np 8 ./app")
			case r.archive != "":
				return command.Usagef("--library runs no COMMAND")
			case r.settings.From < 0 || r.settings.After < 0:
				return command.Usagef("--only-after and --from-iteration must not be negative")
			case r.settings.Callers < 0 || r.settings.Callers > record.MostCallers:
				return command.Usagef("--callers must be 0 to %d, not %d", record.MostCallers, r.settings.Callers)
			}
			if err := record.CheckCounters(r.settings.Counters); err != nil {
				return command.Usagef("--counters: %w", err)
			}
			return r.run(cmd, args)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // everything after COMMAND belongs to the program
	f.SortFlags = false
	r.outputFlags(f)
	f.BoolVar(&r.settings.CPUTime, "cpu-time", false,
		"let computation take its CPU time, and calls none: a trace for pview sim, even with more ranks than "+
			"processors")
	f.IntVar(&r.settings.Callers, "callers", 5,
		"record the innermost `N` callers at each call: function, file and line; 0: none")
	f.StringSliceVar(&r.settings.Counters, "counters", nil,
		"count `LIST` in and between calls: "+strings.Join(record.CounterNames(), ", "))
	f.DurationVar(&r.settings.After, "only-after", 0, "begin recording `TIME`, such as 90s, after MPI_Init")
	f.IntVar(&r.settings.From, "from-iteration", 0,
		"begin recording at the `N`th pview_begin(\"iteration\") of each rank (see --library)")
	f.StringVar(&r.archive, "library", "",
		"write libpview.a, for statically linked programs, and pview.h to `DIR`, and run nothing")
	r.watchFlag(f)
	return cmd
}

// outputFlags adds the flags of the records and the trace.
func (r *recorder) outputFlags(f *pflag.FlagSet) {
	f.StringVarP(&r.out, "output", "o", "",
		"write `FILE`: a trace (.prv, .prv.gz and others that convert writes) or the records as they are (.pvrec); "+
			"default: the program's name with .prv")
	f.StringVar(&r.mpicc, "mpicc", "",
		"`COMPILER` of the program's MPI library (default: the one beside the launcher, or mpicc)")
	f.StringVar(&r.buffer, "buffer", "", "memory of each thread for records, `SIZE` (default 4M)")
	f.StringVar(&r.limit, "limit", "",
		"stop recording a thread when its records take `SIZE`, such as 1G (default: no limit)")
	f.BoolVar(&r.keep, "keep", false,
		"keep the folder of records (.pvrec) beside the trace; pview opens it, too")
}

func (r *recorder) watchFlag(f *pflag.FlagSet) {
	f.BoolVar(&r.watched, "watch", false,
		"show the run while it runs; the program's output follows when the viewer is closed")
}

// writeLibrary writes the files for compiling and linking programs.
func (r *recorder) writeLibrary(ctx context.Context) error {
	if why := record.Supported(); why != "" {
		return errors.New(why)
	}
	mpicc := r.mpicc
	if mpicc == "" {
		mpicc = "mpicc"
	}
	compiler, err := record.NewCompiler(ctx, mpicc)
	if err != nil {
		return err
	}
	if err := compiler.WriteLibrary(ctx, r.archive); err != nil {
		return err
	}
	r.Say("wrote libpview.a and pview.h to %s; link with: %s ... -L%[1]s -lpview", r.archive, mpicc)
	return nil
}

// run records, and merges the records.
func (r *recorder) run(cmd *cobra.Command, args []string) (err error) {
	ctx := cmd.Context()
	if r.watched && !command.IsTerminal(r.Out) {
		return command.Usagef("--watch needs a terminal, and standard output is not one")
	}
	if r.out != "" && !strings.HasSuffix(r.out, record.Extension) && format.ForOutput(r.out) == nil {
		return command.Usagef("%s: unknown format; the name must end in %s or one of %s", r.out, record.Extension,
			strings.Join(format.Outputs(), ", "))
	}
	for _, size := range []struct {
		flag, text string
		to         *int64
	}{{"--buffer", r.buffer, &r.settings.Buffer}, {"--limit", r.limit, &r.settings.Limit}} {
		if size.text != "" {
			if *size.to, err = command.SizeOf(size.text, 0); err != nil {
				return command.Usagef("%s: %w", size.flag, err)
			}
		}
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return err
	}
	r.settings.Launcher = record.LauncherOf(ctx, args[0])
	if why := record.Mismatch(r.settings.Launcher, args); why != "" {
		r.Say("%s", why)
	}
	if err := r.prepare(ctx, args); err != nil {
		r.Say("not %s: %v", r.done(), err)
		r.settings.Library = ""
	} else {
		defer os.Remove(r.settings.Folder) // if it is empty
	}
	status, err := r.start(cmd, args)
	if r.settings.Library != "" {
		r.remove()
	}
	if err != nil {
		return err
	}
	if r.settings.Library != "" {
		ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
		defer stop()
		if err := r.merge(ctx, args); err != nil {
			if status == 0 {
				return err
			}
			r.Say("%v", err)
		}
	}
	if status != 0 {
		return command.ProgramStatus(status)
	}
	return nil
}

// done returns the verb for what happens to the program.
func (r *recorder) done() string {
	if r.steering != nil {
		return "steered or recorded"
	}
	return "recorded"
}

// prepare finds or compiles the library, and makes the folder of the records.
func (r *recorder) prepare(ctx context.Context, args []string) error {
	if why := record.Supported(); why != "" {
		return errors.New(why)
	}
	var compiler *record.Compiler
	var err error
	if r.mpicc != "" {
		compiler, err = record.NewCompiler(ctx, r.mpicc)
	} else {
		compiler, err = record.FindCompiler(ctx, args)
	}
	if err != nil {
		return err
	}
	if err = r.makeFolder(record.ProgramName(args)); err != nil {
		return err
	}
	if r.settings.Library, r.remove, err = compiler.Library(ctx, r.settings.Folder); err != nil {
		os.Remove(r.settings.Folder)
	}
	return err
}

// makeFolder makes the folder of the records, and chooses an unused name for the trace if none is given.
func (r *recorder) makeFolder(name string) error {
	base := name
	if r.out != "" {
		base = strings.TrimSuffix(r.out, filepath.Ext(r.out))
	}
	for i := 1; ; i++ {
		try := base
		if i > 1 {
			try = fmt.Sprintf("%s-%d", base, i)
		}
		out := r.out
		if out == "" {
			out = try + ".prv"
			if _, err := os.Lstat(out); err == nil {
				continue
			}
		}
		err := os.Mkdir(try+record.Extension, 0o777)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		r.out = out
		r.settings.Folder, err = filepath.Abs(try + record.Extension)
		return err
	}
}

// start runs the program to its end and returns its exit status.
func (r *recorder) start(cmd *cobra.Command, args []string) (int, error) {
	program := exec.Command(args[0], args[1:]...)
	if r.settings.Library != "" {
		program = r.settings.Command(args)
	}
	if r.watched && r.settings.Library != "" {
		return r.watch(cmd, program)
	}
	if _, file := r.Err.(*os.File); r.steering != nil && !file { // the program and pview write concurrently
		r.Err = &held{to: r.Err}
	}
	program.Stdin, program.Stdout, program.Stderr = r.In, r.Out, r.Err
	if o, ok := r.Out.(*command.Outlet); ok {
		program.Stdout = o.Writer
	}
	if err := program.Start(); err != nil {
		return 0, err
	}
	defer r.forward(program)()
	if r.steering != nil && r.settings.Library != "" {
		defer r.steering.begin()()
	}
	return record.Wait(program)
}

// forward passes signals to the program instead of pview until stop is called.
func (r *recorder) forward(program *exec.Cmd) (stop func()) {
	all := []os.Signal{os.Interrupt, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP}
	signal.Ignore(all...) // drop other handlers
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, all...)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				// A terminal also sends its own signals to the program.
				if own := s == os.Interrupt || s == syscall.SIGQUIT; !own || !command.IsTerminal(r.In) {
					program.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	return func() {
		signal.Reset(all...)
		close(ended)
	}
}

// merge makes the trace from the records of a command line.
func (r *recorder) merge(ctx context.Context, args []string) error {
	otherMPI := os.Remove(filepath.Join(r.settings.Folder, record.OtherMPI)) == nil // a rank has reported it
	entries, err := os.ReadDir(r.settings.Folder)
	if err != nil {
		return err
	}
	if len(entries) == 0 && otherMPI {
		return nil
	}
	if len(entries) == 0 {
		why := "no rank called MPI_Init with the recorder loaded"
		if program, because := record.Unseen(args); program != "" {
			why = program + " " + because + "; link it with libpview.a (see pview record --library)"
		}
		r.Say("nothing was recorded: %s", why)
		return nil
	}
	folder := relative(r.settings.Folder)
	if strings.HasSuffix(r.out, record.Extension) {
		r.Say("recorded %s; open it with: pview %[1]s", folder)
		return nil
	}
	if target := format.ForOutput(r.out); target.IsProgram() {
		if err = convertToProgram(r.App, ctx, target, folder, r.out, dimemas.TranslateOptions{}); err == nil {
			r.Say("%s%s; simulate it with: pview sim %[1]s", r.out, r.size(": "))
		}
	} else {
		var t *prv.Trace
		if t, err = r.Open(ctx, folder); err == nil {
			err = target.Save(ctx, r.out, t)
			r.summarize(t)
		}
	}
	if err != nil {
		return fmt.Errorf("%w; the records are in %s", err, folder)
	}
	if !r.keep {
		return os.RemoveAll(r.settings.Folder)
	}
	return nil
}

func relative(path string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, path); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return path
}

// size returns the size of the written file, after a separator; "" if it is a folder.
func (r *recorder) size(separator string) string {
	info, err := os.Stat(r.out)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return separator + quantity.Bytes.Round(float64(info.Size()), 3)
}

// summarize prints what was recorded, and what could not be recorded.
func (r *recorder) summarize(t *prv.Trace) {
	r.Say("%s: %s, %s, %s%s; open it with: pview %[1]s", r.out, quantity.CountOf(int64(len(t.Tasks)), "rank"),
		quantity.FormatDuration(t.Duration, t.Unit), quantity.CountOf(int64(t.Comms.Len()), "message"), r.size(", "))
	_, functions := t.Labels.Type(extrae.UserFunction)
	switch why := r.notBegun(t); {
	case why != "":
		r.Say("%s", why)
	case !functions:
		r.Say("no user functions: the program calls none of pview.h's, and is not compiled with -finstrument-functions")
	}
	r.summarizeOpenMP(t)
	for i, n := range t.Notes {
		own := strings.HasPrefix(n.Text, record.NotCounted) || strings.HasPrefix(n.Text, record.NotOpenMP)
		if i > 0 && own { // the first note has been printed
			r.Say("%s", n.Text)
		}
	}
	if len(r.settings.Counters) == 0 {
		r.Say("no counters: --counters instructions,cycles counts them")
	}
}

// notBegun reports that the program ended before the part to be recorded; "" if it did not.
func (r *recorder) notBegun(t *prv.Trace) string {
	var options []string
	if r.settings.After > 0 {
		options = append(options, fmt.Sprintf("--only-after %s", r.settings.After))
	}
	if r.settings.From > 0 {
		options = append(options, fmt.Sprintf("--from-iteration %d", r.settings.From))
	}
	if len(options) == 0 {
		return ""
	}
	calls := 0 // of a thread: MPI_Init and MPI_Finalize are recorded
	families := extrae.Of(t.Labels).Family(extrae.MPI)
	for i := range t.Threads {
		e, own := &t.Threads[i].Events, 0
		for k, typ := range e.Type {
			if e.Value.At(k) != 0 && slices.Contains(families, typ) {
				own++
			}
		}
		calls = max(calls, own)
	}
	if calls > 2 {
		return ""
	}
	return "nothing is recorded between MPI_Init and MPI_Finalize: the program did not come to " +
		strings.Join(options, " and ")
}

// summarizeOpenMP prints the recorded parts of OpenMP, if any.
func (r *recorder) summarizeOpenMP(t *prv.Trace) {
	if _, some := t.Labels.Type(extrae.OpenMPParallel); !some {
		return
	}
	regions, threads := int64(0), int64(0)
	for i := range t.Threads {
		e, works := &t.Threads[i].Events, false
		for k, typ := range e.Type {
			works = works || typ == extrae.OpenMPOutlined
			if typ == extrae.OpenMPParallel && e.Value.At(k) != 0 {
				regions++
			}
		}
		if works {
			threads++
		}
	}
	r.Say("OpenMP: %s, %s", quantity.CountOf(regions, "parallel region"), quantity.CountOf(threads, "thread"))
}
