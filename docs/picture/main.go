//go:build unix

// Picture makes the pictures in docs/: it runs pview in a pseudo-terminal, presses keys, and saves the screen as SVG.
// Run it by hand after the screen has changed:
//
//	go run ./docs/picture [NAME...]
//
// With names, such as studies-mean.svg, it makes only the runs with these pictures.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/creack/pty"

	"pview/docs/tour"
	"pview/internal/vt"
)

// session is a run of pview, and the pictures taken on the way.
type session struct {
	columns, rows int
	pictures      []picture
	story         string   // file of a film of the pictures; if set, runs/repaired.prv is the demo with tour.Repair
	synth         []string // options of pview synth for the opened trace; none: the demo
}

// picture is a screen and the keys that lead to it from the previous one.
type picture struct {
	file        string // "": no picture
	keys        []string
	description string
}

var sessions = []session{
	{columns: 120, rows: 36, story: "demo.svg", pictures: []picture{
		{"story-slow.svg", nil, "the demo trace: 32 threads over time, blue computes, red waits; the run is 51.1 % " +
			"efficient"},
		{"story-why.svg", []string{"B"}, "the workspace Why: where the time went, and the findings, ranked by what " +
			"they cost"},
		{"story-what-if.svg", []string{"\x1b", ":open runs/repaired.prv\r"},
			"the measured run, and below it the run that is predicted with the work balanced in each iteration"},
		{"story-proof.svg", []string{"="}, "the workspace Compare: the difference of both runs, phase by phase"},
	}},
	{columns: tour.Columns, rows: tour.Rows, pictures: ofTour()},
	{columns: 120, rows: 46, pictures: []picture{{"workload.svg", []string{
		":workload\r", "c", // clusters, and in the timeline
		"\x1b[Z", "\r", "\t", // the typical burst of the first
	},
		"the Workload pane of pview on the demo trace: settings, the scatter of bursts by instructions and IPC with " +
			"the cursor on one of them; above, the states and the clusters in the timeline"}}},
	{columns: 120, rows: 46, pictures: []picture{
		{"studies-mean.svg", studied(":study\r"),
			"the Study pane: two random parameters, and the mean of 500 predicted run times with its confidence band"},
		{"studies-scatter.svg", []string{"\t", "\t", "x"},
			"the predicted run time of 500 runs by their bandwidth, with the best and the worst run"},
		{"studies-histogram.svg", []string{"\t", ":study-limit 2.2s\r"},
			"histogram of the predicted run times, with the probability of exceeding 2.2 s"},
		{"studies-worst.svg", []string{"\x1b[Z", "\x1b[Z", "l", "l", "l", "o", "o", ">", "\r"},
			"the table of the runs; the worst one is simulated again, and stands under the measured run"},
	}},
	{columns: 80, rows: 24, pictures: []picture{{"studies-small.svg", append(studied(":study\r"), "\t", "\t", ">"),
		"a study on a screen of 80 by 24"}}},
	{columns: 120, rows: 44, synth: []string{"--pattern", "master-worker"}, pictures: []picture{
		{"frameworks-farm.svg", []string{":frameworks\r", "v"},
			"the Frameworks pane: a master with seven workers, the parameters of its model, and the time of an " +
				"iteration by the number of workers, simulated"},
		{"frameworks-policies.svg", []string{"\t", "\t"},
			"the Table page of the Frameworks pane: parameters, the iteration, times by workers"},
	}},
	{columns: 120, rows: 44, synth: []string{"--pattern", "pipeline"}, pictures: []picture{
		{"frameworks-pipeline.svg", []string{":frameworks\r", "jjjjjjjjj", ":framework-set 4ms\r", "v"},
			"the Frameworks pane: a pipeline of eight stages, the fourth with a cost that was typed, and the " +
				"replicas that it should have, simulated"},
	}},
}

// studied returns the keys of a study on Gigabit Ethernet with random latency and bandwidth; open opens the pane.
func studied(open string) []string {
	return []string{":simulate ethernet-1g\r", open, "+", "latency=uniform(1us,300us)\r", "+",
		"bandwidth=uniform(10,200)\r", "r"}
}

// files are the pictures written by commands.
var files = [][]string{
	{"study", "montecarlo", "prv/demo/demo.prv.gz", "--no-index", "--machine", "ethernet-1g", "--random",
		"latency=uniform(1us,300us)", "--random", "bandwidth=uniform(10,200)",
		"--runs", "150", "--output", "total", "--plot", "docs/studies-plots.svg"},
}

// ofTour returns the pictures of docs/tour.md.
func ofTour() (list []picture) {
	for _, step := range tour.Steps {
		p := picture{file: step.Picture, description: "pview, a tour: " + step.Title}
		for _, key := range step.Keys {
			p.keys = append(p.keys, tour.Bytes(key))
		}
		list = append(list, p)
	}
	return list
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "pview-picture-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "pview")
	if out, err := exec.Command("go", "build", "-o", program, "pview").CombinedOutput(); err != nil {
		return fmt.Errorf("building pview: %w\n%s", err, out)
	}
	for _, args := range files {
		if !wanted(filepath.Base(args[len(args)-1])) {
			continue
		}
		if out, err := exec.Command(program, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, out)
		}
	}
	for _, one := range sessions {
		if !slices.ContainsFunc(one.pictures, func(p picture) bool { return wanted(p.file) }) &&
			(one.story == "" || !wanted(one.story)) {
			continue
		}
		home, err := os.MkdirTemp(dir, "home-")
		if err != nil {
			return err
		}
		if err := one.take(program, home); err != nil {
			return err
		}
	}
	return nil
}

// wanted reports whether a picture was requested.
func wanted(file string) bool { return len(os.Args) == 1 || slices.Contains(os.Args[1:], file) }

// rest is how long the screen must be unchanged before the next key is pressed.
const rest = 700 * time.Millisecond

// take runs the program in a folder, presses the keys, and writes the pictures to docs/.
func (one session) take(program, dir string) error {
	var trace []string
	if one.synth != nil {
		trace = []string{"run.prv"}
		made := exec.Command(program, append([]string{"synth", "--tasks", "8", "--nodes", "8", "--size", "1M",
			trace[0]}, one.synth...)...)
		made.Dir = dir
		if out, err := made.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", made.Args, err, out)
		}
	}
	if one.story != "" {
		demo, err := filepath.Abs("prv/demo/demo.prv.gz")
		if err != nil {
			return err
		}
		// In its own folder, since pview lists the current folder's traces before it shows the demo.
		if err := os.Mkdir(filepath.Join(dir, "runs"), 0o755); err != nil {
			return err
		}
		made := exec.Command(program, "diagnose", demo, "--no-index", "--repair", tour.Repair, "-o",
			"runs/repaired.prv")
		made.Dir = dir
		if out, err := made.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", made.Args, err, out)
		}
	}
	cmd := exec.Command(program, trace...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "NO_COLOR=", "TMUX=",
		"XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CACHE_HOME="+dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(one.columns), Rows: uint16(one.rows)})
	if err != nil {
		return err
	}
	defer tty.Close()
	defer cmd.Process.Kill()
	w := watched{screen: vt.NewScreen(one.columns, one.rows)}
	w.screen.Reply = tty
	go w.read(tty)
	var frames [][]byte
	for _, p := range one.pictures {
		for _, k := range append([]string{""}, p.keys...) {
			if _, err := io.WriteString(tty, k); err != nil {
				return err
			}
			w.settle()
		}
		if p.file == "" {
			continue
		}
		frame, err := w.save(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
		frames = append(frames, frame)
	}
	if one.story == "" {
		return nil
	}
	return os.WriteFile(filepath.Join("docs", one.story), film(frames), 0o644)
}

// film shows pictures of one size in turn, each for some seconds; without animation, the first.
func film(frames [][]byte) []byte {
	const seconds = 4
	var b bytes.Buffer
	size := regexp.MustCompile(`viewBox="[^"]*"`).Find(frames[0])
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" %s role="img" `+
		`aria-label="pview on its demo trace: a slow run, why, what if, the proof">`+
		"\n<style>.frame{animation:turn %ds step-end infinite}.later{visibility:hidden}"+
		"@keyframes turn{0%%{visibility:visible}%.4g%%{visibility:hidden}}</style>\n", size, seconds*len(frames),
		100/float64(len(frames)))
	for i, frame := range frames {
		class := "frame"
		if i > 0 {
			class = "frame later"
		}
		fmt.Fprintf(&b, `<g class="%s" style="animation-delay:%ds">`+"\n%s</g>\n", class, seconds*i, frame)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// watched is a screen written by a program.
type watched struct {
	mu     sync.Mutex
	screen *vt.Screen
	last   time.Time // of the last write
}

func (w *watched) read(tty io.Reader) {
	buf := make([]byte, 64<<10)
	for {
		n, err := tty.Read(buf)
		w.mu.Lock()
		w.screen.Write(buf[:n])
		w.last = time.Now()
		w.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// settle waits until the screen has been unchanged for a while.
func (w *watched) settle() {
	w.mu.Lock()
	w.last = time.Now()
	w.mu.Unlock()
	for still := false; !still; time.Sleep(10 * time.Millisecond) {
		w.mu.Lock()
		still = time.Since(w.last) > rest
		w.mu.Unlock()
	}
}

// save writes the screen as SVG, and returns it.
func (w *watched) save(p picture) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var b bytes.Buffer
	if err := w.screen.WriteSVG(&b, p.description); err != nil {
		return nil, err
	}
	return b.Bytes(), os.WriteFile(filepath.Join("docs", p.file), b.Bytes(), 0o644)
}
