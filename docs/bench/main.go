//go:build unix

// Bench times whole commands of pview on traces that it makes, and prints the tables of
// docs/performance.md:
//
//	go run ./docs/bench                     226 MB, 2 GB, 16,384 tasks, 100,000 event types, in a temporary folder
//	go run ./docs/bench -sizes 226M,2G,10G,wide,types -dir /scratch -write docs/performance.md
//
// Each command is a separate process: its elapsed time, CPU time and peak memory come from the system after it has
// ended.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	dir := flag.String("dir", filepath.Join(os.TempDir(), "pview-bench"), "where the traces are made; they are kept")
	sizes := flag.String("sizes", "226M,2G,wide,types",
		"sizes of the traces; wide has 16,384 tasks, types 100,000 event types")
	runs := flag.Int("runs", 3, "runs of each command; the fastest counts")
	write := flag.String("write", "", "page whose part between the marks gets the result")
	flag.Parse()
	if flag.Arg(0) == "paint" {
		if err := paint(flag.Arg(1)); err != nil {
			log.Fatal(err)
		}
		return
	}
	b := &bench{dir: *dir, runs: *runs}
	text, err := b.all(strings.Split(*sizes, ","))
	if err == nil && *write != "" {
		err = replace(*write, text)
	}
	fmt.Print(text)
	if err != nil {
		log.Fatal(err)
	}
}

// bench holds the paths of a benchmark.
type bench struct {
	dir, pview, self string
	runs             int
}

// all runs everything and returns the text of the tables.
func (b *bench) all(sizes []string) (string, error) {
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return "", err
	}
	b.pview = filepath.Join(b.dir, "pview")
	if out, err := exec.Command("go", "build", "-o", b.pview, "pview").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building pview: %w\n%s", err, out)
	}
	var err error
	if b.self, err = os.Executable(); err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s, %s, %d processors, %s.\n", time.Now().Format("2 January 2006"), processor(),
		runtime.NumCPU(), runtime.Version())
	for _, size := range sizes {
		if err := b.trace(&out, size); err != nil {
			return out.String(), err
		}
	}
	return out.String(), nil
}

// processor returns the class of the machine.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // none: not Linux
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// step is a timed command.
type step struct {
	what   string
	args   []string
	before []string // command that restores the first-time state; nil: none
	self   bool     // executed by this program
	text   bool     // report its speed in bytes of the file
}

// shapes has the options of pview synth for traces that are defined by more than a size.
var shapes = map[string][]string{
	// The records of the trace used to time Paraver.
	"226M": {"--size", "226M", "--callers", "0", "--no-counters"},
	"wide": {"--size", "500M", "--tasks", "16384", "--nodes", "128"},
}

// make makes a trace unless it exists.
func (b *bench) make(path, size string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	log.Printf("making %s", path)
	if size == "types" {
		return writeTypes(path)
	}
	shape := shapes[size]
	if shape == nil {
		shape = []string{"--size", size, "--callers", "2"} // a program with counters and call stacks
	}
	if text, err := exec.Command(b.pview, append([]string{"synth", path}, shape...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}

// writeTypes writes a trace with 100,000 event types: 2 million lines of two events each, on 64 threads.
func writeTypes(path string) error {
	const lines, threads, types = 2_000_000, 64, 100_000
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, rng := bufio.NewWriter(f), rand.New(rand.NewPCG(1, 1))
	fmt.Fprintf(w, "#Paraver (01/01/2026 at 00:00):%d_ns:1(%d):1:%d(1:1%s)\n", 10*lines, threads, threads,
		strings.Repeat(",1:1", threads-1))
	for i := range lines {
		th := 1 + rng.IntN(threads)
		fmt.Fprintf(w, "2:%d:1:%d:1:%d:%d:%d:%d:%d\n", th, th, 10*i, 60_000_000+rng.IntN(types), i%1000,
			60_000_000+rng.IntN(types), i%7)
	}
	return w.Flush()
}

// trace makes a trace and times the commands on it.
func (b *bench) trace(out *strings.Builder, size string) error {
	path := filepath.Join(b.dir, size+".prv")
	if err := b.make(path, size); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	zipped := path + ".gz"
	clear := []string{"index", "--clear", path}
	histogram := []string{"stat", path, "--stat", "% Time", "--format", "tsv"}
	zoomed := append(histogram[:len(histogram):len(histogram)], "--from", "40%", "--to", "41%")
	steps := []step{
		{"parsed, without index (`info --no-index`)", []string{"info", "--no-index", path}, nil, false, true},
		{"first open (`info`), index made", []string{"info", path}, clear, false, true},
		{"second open (`info`), counts from the index", []string{"info", path}, nil, false, false},
		{"second open and 64 rows of states, exact", []string{"paint", path}, nil, true, false},
		{"histogram of every row (`stat`), first open", histogram, clear, false, false},
		{"histogram of every row (`stat`), indexed", histogram, nil, false, false},
		{"histogram of 1 % of the time, indexed", zoomed, nil, false, false},
	}
	if info.Size() < 1<<30 {
		if _, err := os.Stat(zipped); err != nil {
			log.Printf("making %s", zipped)
			if text, err := exec.Command(b.pview, "convert", path, zipped).CombinedOutput(); err != nil {
				return fmt.Errorf("%w: %s", err, text)
			}
		}
		steps = append(steps, step{"parsed from .gz, without index", []string{"info", "--no-index", zipped}, nil, false,
			true})
	} else {
		small := append([]string{"--memory", "512M"}, histogram...)
		steps = append(steps, step{"histogram, first open, `--memory 512M`", small, clear, false, false})
	}
	fmt.Fprintf(out,
		"\n### %s: %d MB\n\n| command | time | processors | MB/s | peak memory | of the file |\n| --- | --: | --: | "+
			"--: | --: | --: |\n", size, info.Size()/1e6)
	for _, s := range steps {
		best, err := b.best(s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
		speed := ""
		if s.text {
			speed = strconv.Itoa(int(float64(info.Size()) / 1e6 / best.wall.Seconds()))
		}
		fmt.Fprintf(out, "| %s | %.3g s | %.3g s | %s | %d MB | %.0f %% |\n", s.what, best.wall.Seconds(),
			best.cpu.Seconds(), speed, best.peak/1e6, 100*float64(best.peak)/float64(info.Size()))
		log.Printf("%s: %+v", s.what, best)
	}
	return nil
}

// cost is the cost of a process.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory, including mapped files
}

// best runs a step several times and returns the fastest; with the largest memory of all.
func (b *bench) best(s step) (best cost, err error) {
	for i := range b.runs {
		if s.before != nil {
			exec.Command(b.pview, s.before...).Run() // fails if there is no index
		}
		program := b.pview
		if s.self {
			program = b.self
		}
		c, err := run(program, s.args)
		if err != nil {
			return best, err
		}
		c.peak = max(c.peak, best.peak)
		if i > 0 && best.wall < c.wall {
			c.wall, c.cpu = best.wall, best.cpu
		}
		best = c
	}
	return best, nil
}

func run(program string, args []string) (c cost, err error) {
	cmd := exec.Command(program, args...)
	var problems strings.Builder
	cmd.Stderr = &problems
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return c, fmt.Errorf("%v: %w: %s", args, err, problems.String())
	}
	c.wall = time.Since(began)
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	unit := int64(1024)
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	c.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * unit
	return c, nil
}

// paint opens a trace and evaluates 64 rows of its states, as the viewer must before it can draw them exactly.
func paint(path string) error {
	ctx := context.Background()
	o := &prv.Opener{}
	t, err := o.Open(ctx, path, prv.Watcher{})
	if err != nil {
		return err
	}
	defer o.Wait(ctx)
	w := semantic.DefaultWindow()
	e, err := semantic.Compile(t, &w)
	if err != nil {
		return err
	}
	rows := make([]int, min(64, e.Rows()))
	for i := range rows {
		rows[i] = i
	}
	return e.All(ctx, rows, runtime.GOMAXPROCS(0), func(int, *series.Series) {})
}

// The marks around the result in a page.
const (
	beginMark = "<!-- bench: begin -->\n"
	endMark   = "<!-- bench: end -->"
)

// replace puts the result into a page.
func replace(page, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), beginMark)
	_, after, ok2 := strings.Cut(rest, endMark)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no marks for the result", page)
	}
	return os.WriteFile(page, []byte(before+beginMark+text+endMark+after), 0o644)
}
