//go:build unix

// Soak presses random keys in the viewer for a long time, and fails on a crash, a report of the race detector, a
// hang, or growth of memory, goroutines or open files:
//
//	go run ./docs/soak -for 1h run.prv.gz other.prv
//
// Keys, pastes, mouse gestures and terminal sizes are drawn from -seed, in rounds; input arrives in pieces, cut
// anywhere. After each round the initial session is loaded, which closes all other windows and traces, and the viewer
// is measured at rest (and each minute, for observers): live heap after garbage collection, resident memory,
// goroutines, open files. The memory still allocated then is the trace, the cache of computed rows, which is bounded by
// --memory and reported by the viewer (F9), or a leak: heap minus rows must not grow from the first third of the rounds
// to the last. Closed traces that undo could restore do not count: loading a session forgets them. Resident memory
// grows with the race detector, which keeps its own records of live goroutines (go.dev/doc/articles/race_detector);
// without it (-race=false) it is stable. If rounds are slow, a trace gets up to twice its time, until there are enough
// to compare.
//
// With -follow the viewer follows the trace, which grows by bytes cut anywhere, is truncated and replaced while keys
// are pressed. Each round ends with the complete trace.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"pview/cli"
)

// viewer is the environment variable that makes this program the viewer, with the folder for heap profiles.
const viewer = "PVIEW_SOAK"

func main() {
	if dir := os.Getenv(viewer); dir != "" {
		go answer(dir)
		os.Exit(cli.Main())
	}
	log.SetFlags(0)
	log.SetPrefix("soak: ")
	span := flag.Duration("for", time.Hour, "time for all traces together")
	keys := flag.Int("keys", 400, "keys of a round")
	memory := flag.String("memory", "256M", "--memory of the viewer")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the random keys")
	keep := flag.String("keep", "",
		"folder for heap profiles, race reports and the keys of the last round (default a temporary one)")
	race := flag.Bool("race", true, "build the viewer with the race detector")
	follow := flag.Bool("follow", false, "follow the traces, and write them meanwhile")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("soak needs TRACE...")
	}
	s := &soak{keys: *keys, memory: *memory, seed: *seed, dir: *keep, race: *race, follow: *follow}
	if err := s.all(*span, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// figures are measured at rest.
type figures struct {
	Heap       uint64 // bytes of live values
	Goroutines int
	rows       int64 // bytes of the cache
	resident   int64 // bytes
	files      int   // open
	keys       int   // pressed so far
	after      time.Duration
}

func (f *figures) print(rows string) {
	fmt.Printf("%8.1f %8d %10.1f %10s %10.1f %10d %8d\n", f.after.Minutes(), f.keys, mb(int64(f.Heap)), rows,
		mb(f.resident), f.Goroutines, f.files)
}

// beyond returns the memory outside of the cache, in bytes.
func (f figures) beyond() int64 { return int64(f.Heap) - f.rows }

// Questions to the viewer: its figures, or its figures with profiles.
const (
	brief    = 'b'
	profiled = 'p'
)

// answer is the viewer's side: for each byte of file 3 it writes figures to file 4. Profiles show memory and
// goroutines.
func answer(dir string) {
	in, out := os.NewFile(3, "questions"), os.NewFile(4, "answers")
	for n := 0; ; {
		question := make([]byte, 1)
		if _, err := in.Read(question); err != nil {
			return
		}
		runtime.GC() // twice: the second frees memory held by finalizers and pools
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if question[0] == profiled {
			keep(dir, fmt.Sprintf("heap%03d.pprof", n), pprof.WriteHeapProfile)
			keep(dir, fmt.Sprintf("goroutines%03d.txt", n), func(w io.Writer) error {
				return pprof.Lookup("goroutine").WriteTo(w, 1)
			})
			n++
		}
		json.NewEncoder(out).Encode(figures{Heap: m.HeapAlloc, Goroutines: runtime.NumGoroutine()})
	}
}

// keep writes a profile. It helps to find a leak; without it the figures are still valid.
func keep(dir, name string, write func(io.Writer) error) {
	if f, err := os.Create(filepath.Join(dir, name)); err == nil {
		_ = write(f)
		_ = f.Close()
	}
}

// soak is common to all traces.
type soak struct {
	keys   int
	memory string
	seed   uint64
	dir    string
	binary string
	race   bool // with the race detector
	follow bool // the traces grow
}

// all builds the viewer and tries the traces in turn.
func (s *soak) all(span time.Duration, traces []string) (err error) {
	if s.dir == "" {
		if s.dir, err = os.MkdirTemp("", "pview-soak-"); err != nil {
			return err
		}
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	s.binary = filepath.Join(s.dir, "pview-race")
	build := exec.Command("go", "build", fmt.Sprintf("-race=%t", s.race), "-o", s.binary, "pview/docs/soak")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the viewer: %w\n%s", err, out)
	}
	fmt.Printf("seed %d, --memory %s, %s per trace; profiles in %s\n", s.seed, s.memory,
		span/time.Duration(len(traces)), s.dir)
	var failed []error
	for i, trace := range traces {
		if err := s.one(trace, i, span/time.Duration(len(traces))); err != nil {
			fmt.Println("FAILED:", err)
			failed = append(failed, fmt.Errorf("%s has failed", trace))
		}
	}
	return errors.Join(failed...)
}

// one tries one trace.
func (s *soak) one(trace string, n int, span time.Duration) error {
	dir := filepath.Join(s.dir, fmt.Sprint(n))
	work := filepath.Join(dir, "a", "b", "c", "work") // file names are random too
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	name, err := copyTrace(trace, work)
	if err != nil {
		return err
	}
	var growing *writer
	if s.follow {
		if growing, err = newWriter(work, &name); err != nil {
			return err
		}
	}
	fmt.Printf("\n%s\n%8s %8s %10s %10s %10s %10s %8s\n", trace, "minutes", "keys", "heap MB", "rows MB", "RSS MB",
		"goroutines", "files")
	r := &run{soak: s, dir: dir, work: work, trace: name, rng: rand.New(rand.NewPCG(s.seed, uint64(n))),
		begin: time.Now(), growing: growing}
	if err := r.start(); err != nil {
		return err
	}
	fmt.Printf("%8.1f opened\n", time.Since(r.begin).Minutes())
	ctx, cancel := context.WithTimeout(context.Background(), 2*span)
	defer cancel()
	measured, err := r.rounds(ctx, span)
	if err := errors.Join(err, r.races()); err != nil {
		return err
	}
	return grown(measured)
}

// wideName is the prefix of the copies' names, so that titles and lists have wide characters.
const wideName = "幅"

// copyTrace copies a trace and its labels into a folder, where the viewer may overwrite them.
func copyTrace(trace, dir string) (name string, err error) {
	base := strings.TrimSuffix(strings.TrimSuffix(trace, ".gz"), ".prv")
	for _, from := range []string{trace, base + ".pcf", base + ".row"} {
		text, err := os.ReadFile(from)
		if from != trace && os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, wideName+filepath.Base(from)), text, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	return wideName + filepath.Base(trace), nil
}

// Limits on growth from the first third of the rounds to the last. Medians are compared, since a job still stopping in
// one round, or a trace not yet read in another, is not growth.
const (
	mostGrowth     = 4 << 20 // bytes
	mostShare      = 0.1     // of the heap
	mostGoroutines = 3
	mostFiles      = 3
)

// Minimum rounds for a verdict: one-time loading happens in the warm ones.
const (
	warmRounds  = 2
	leastRounds = warmRounds + 6
)

// grown compares the first rounds with the last.
func grown(list []figures) error {
	if len(list) < leastRounds {
		return fmt.Errorf("only %d rounds: too few to tell growth", len(list))
	}
	list = list[warmRounds:]
	first, last := list[:len(list)/3], list[len(list)-len(list)/3:]
	median := func(list []figures, of func(figures) int64) int64 {
		sorted := slices.SortedFunc(slices.Values(list), func(a, b figures) int { return cmp.Compare(of(a), of(b)) })
		return of(sorted[len(sorted)/2])
	}
	goroutines := func(f figures) int64 { return int64(f.Goroutines) }
	files := func(f figures) int64 { return int64(f.files) }
	h0, h1 := median(first, figures.beyond), median(last, figures.beyond)
	g0, g1 := median(first, goroutines), median(last, goroutines)
	f0, f1 := median(first, files), median(last, files)
	fmt.Printf("heap less rows %.1f MB -> %.1f MB, goroutines %d -> %d, open files %d -> %d, %d keys\n", mb(h0), mb(h1),
		g0, g1, f0, f1, list[len(list)-1].keys)
	var err error
	if float64(h1-h0) > max(mostGrowth, mostShare*float64(h0)) {
		err = fmt.Errorf("the heap has grown by %.1f MB", mb(h1-h0))
	}
	if g1-g0 > mostGoroutines {
		err = errors.Join(err, fmt.Errorf("there are %d more goroutines", g1-g0))
	}
	if f1-f0 > mostFiles {
		err = errors.Join(err, fmt.Errorf("%d more files are open", f1-f0))
	}
	return err
}

func mb(n int64) float64 { return float64(n) / (1 << 20) }

// run is the viewer on one trace, which is restarted if random keys have left it.
type run struct {
	*soak
	dir, work, trace string
	rng              *rand.Rand
	begin            time.Time
	printed          time.Time // when figures were printed
	pressed          int
	resting          int       // goroutines of the viewer just after its start; 0: not yet known
	terminal         *terminal // nil: not running
	growing          *writer   // of the followed trace; nil without -follow
}

// session is the name of the initial session.
const session = "start.session.json"

// rounds runs rounds for a time, and longer until there are enough for a verdict or ctx ends.
func (r *run) rounds(ctx context.Context, span time.Duration) (list []figures, err error) {
	defer func() {
		if r.terminal != nil {
			r.terminal.kill()
		}
	}()
	for ctx.Err() == nil && (time.Since(r.begin) < span || len(list) < leastRounds) {
		if err := r.round(ctx); err != nil {
			return list, err
		}
		if r.terminal == nil {
			continue // left by a key
		}
		f, err := r.measure()
		if err != nil {
			return list, err
		}
		f.print(fmt.Sprintf("%.1f", mb(f.rows)))
		list = append(list, f)
	}
	return list, nil
}

// round presses the keys of a round, and returns to the initial session.
func (r *run) round(ctx context.Context) error {
	if r.terminal == nil {
		if err := r.start(); err != nil {
			return err
		}
	}
	var said strings.Builder
	defer func() {
		os.WriteFile(filepath.Join(r.dir, "keys.txt"), []byte(said.String()), 0o644)
	}()
	if r.growing != nil {
		r.terminal.press(follows)
	}
	for i := 0; i < r.keys && ctx.Err() == nil; i++ {
		r.pressed++
		if r.rng.IntN(60) == 0 {
			columns, rows := 1+r.rng.IntN(200), 1+r.rng.IntN(60)
			fmt.Fprintf(&said, "%dx%d\n", columns, rows)
			r.terminal.resize(columns, rows)
		} else {
			key := random(r.rng, r.terminal.columns, r.terminal.rows)
			fmt.Fprintf(&said, "%q\n", key)
			for k, piece := range pieces(r.rng, key) {
				if k > 0 {
					time.Sleep(time.Duration(r.rng.IntN(80)) * time.Millisecond)
				}
				r.terminal.press(piece)
			}
		}
		if i%20 == 19 {
			r.terminal.pause()
			if r.growing != nil {
				fmt.Fprintln(&said, r.growing.step(r.rng))
			}
		}
		if ended, err := r.terminal.ended(); ended {
			r.terminal = nil
			return err
		}
		if time.Since(r.printed) > time.Minute {
			if err := r.inUse(); err != nil {
				return err
			}
		}
	}
	if r.growing != nil {
		if err := r.growing.finish(); err != nil {
			return err
		}
	}
	return r.reset()
}

// inUse prints figures in the middle of a round, for observers: open windows and traces make them useless for measuring
// growth.
func (r *run) inUse() error {
	f, err := r.figures(brief)
	if err != nil {
		return r.terminal.hangs(fmt.Sprintf("gives no figures: %v", err))
	}
	f.print("in use")
	r.printed = time.Now()
	return nil
}

// endsPaste is the pause after which a key ends a paste that has no end.
const endsPaste = 2200 * time.Millisecond

// reset returns to the initial session. Leaving what random keys opened may take several Esc, and a file being read or
// written may have to be finished first, so it tries several times.
func (r *run) reset() (err error) {
	t := r.terminal
	t.resize(120, 40)
	time.Sleep(endsPaste)
	for range 20 {
		for range 6 {
			t.press(escape)
		}
		t.press(":")
		t.pause()
		t.press("load-session " + session + "\r")
		t.pause()
		if _, err = t.awaitMatch(wholeTrace, patience/3); err == nil {
			// stop the work that starts by itself once the trace is loaded: it takes minutes with the race detector
			for range 3 {
				t.press(escape)
				t.pause()
			}
			t.rest(patience / 20)
			t.press("\x1b[20~") // F9
			_, err = t.awaitMatch(memoryLine, patience/20)
		}
		if ended, err := t.ended(); ended {
			r.terminal = nil
			return err
		}
		if err == nil {
			return r.sweep()
		}
	}
	return t.hangs(fmt.Sprintf("is not usable after the keys of %s: %v", filepath.Join(r.dir, "keys.txt"), err))
}

// sweep removes the files written by random keys.
func (r *run) sweep() error {
	list, err := os.ReadDir(r.work)
	base := strings.TrimSuffix(strings.TrimSuffix(r.trace, ".gz"), ".prv")
	for _, e := range list {
		if !strings.HasPrefix(strings.TrimPrefix(e.Name(), "."), base) && e.Name() != session {
			err = errors.Join(err, os.RemoveAll(filepath.Join(r.work, e.Name())))
		}
	}
	return err
}

// start starts the viewer, and saves its session the first time.
func (r *run) start() error {
	args := []string{"--memory", r.memory, r.trace}
	if r.follow {
		args = append(args, "--follow")
	}
	t, err := startTerminal(r.binary, r.work, r.dir, args)
	if err != nil {
		return err
	}
	r.terminal = t
	if _, err := t.awaitMatch(wholeTrace, opening); err != nil {
		return t.hangs(fmt.Sprintf("does not show the trace within %s: %v", opening, err))
	}
	if err := t.rest(patience); err != nil {
		return err
	}
	if err := r.settle(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(r.work, session)); err == nil {
		return nil
	}
	t.press(":")
	t.press("save-session " + session + "\r")
	return t.rest(patience)
}

// measure asks the viewer at rest.
func (r *run) measure() (f figures, err error) {
	t := r.terminal
	text, err := t.awaitMatch(memoryLine, patience)
	if err != nil {
		return f, err
	}
	if err := r.settle(); err != nil {
		return f, err
	}
	if f, err = r.figures(profiled); err != nil {
		return f, err
	}
	f.rows, r.printed = sizeOf(text), time.Now()
	return f, nil
}

// settle waits until jobs that were told to stop have ended: they hold their trace in memory. Jobs that do not end in
// time count.
func (r *run) settle() error {
	for end := time.Now().Add(patience / 4); time.Now().Before(end); time.Sleep(time.Second) {
		f, err := r.figures(brief)
		if err != nil {
			return err
		}
		if r.resting == 0 {
			r.resting = f.Goroutines
		}
		if f.Goroutines <= r.resting {
			return nil
		}
	}
	return nil
}

// figures returns the viewer's current figures, without the rows.
func (r *run) figures(question byte) (f figures, err error) {
	if f, err = r.terminal.ask(question); err != nil {
		return f, err
	}
	f.keys, f.after = r.pressed, time.Since(r.begin)
	if f.resident, err = resident(r.terminal.cmd.Process.Pid); err != nil {
		return f, err
	}
	f.files, err = openFiles(r.terminal.cmd.Process.Pid)
	return f, err
}

// races returns the race detector's reports.
func (r *run) races() error {
	reports, err := filepath.Glob(filepath.Join(r.dir, "race.*"))
	for _, name := range reports {
		if f, e := os.Open(name); e == nil {
			text, _ := io.ReadAll(io.LimitReader(f, 16<<10))
			f.Close()
			err = errors.Join(err, fmt.Errorf("the race detector reports:\n%s", text))
		}
	}
	return err
}
