//go:build unix

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"pview/internal/vt"
)

// testdata returns the folder of traces in the repository.
func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../testdata/traces")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func heat(t *testing.T) string { return filepath.Join(testdata(t), "heat2d_8", "heat2d_8.prv.gz") }

// open starts the viewer and waits until the timeline is complete.
func open(t *testing.T, columns, rows int, args []string, options ...option) *terminal {
	t.Helper()
	tm := start(t, columns, rows, args, options...)
	tm.awaitText(" 1.1.1 ")
	tm.awaitText("(all)")
	tm.settle()
	return tm
}

// leave ends the viewer with q and checks that all is well.
func (tm *terminal) leave() {
	tm.t.Helper()
	tm.press("q")
	if status := tm.end(); !status.Exited() || status.ExitStatus() != 0 {
		tm.t.Errorf("it ended with %#x, want exit status 0; it said %q", status, tm.stderr.String())
	}
	tm.checkGivenBack()
	tm.checkUnderstood()
}

// However the viewer ends, the terminal is restored.
func TestTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		end  func(tm *terminal)
		by   syscall.Signal // signal that kills the process; 0 for none
	}{
		{"q", func(tm *terminal) { tm.press("q") }, 0},
		{"Ctrl+C", func(tm *terminal) { tm.press(keyCtrlC) }, 0},
		{"the palette", func(tm *terminal) { tm.press(":", "quit", keyEnter) }, 0},
		{"SIGTERM", func(tm *terminal) { tm.signal(syscall.SIGTERM) }, syscall.SIGTERM},
		{"SIGINT", func(tm *terminal) { tm.signal(os.Interrupt) }, syscall.SIGINT},
		{"SIGHUP", func(tm *terminal) { tm.signal(syscall.SIGHUP) }, syscall.SIGHUP},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tm := open(t, 80, 24, nil)
			tm.see(func(s *vt.Screen) {
				if !s.Modes[vt.ModeAltScreen] || s.Modes[vt.ModeCursor] {
					t.Errorf("modes %v are set: want the alternate screen, and no cursor", s.Modes)
				}
			})
			test.end(tm)
			status := tm.end()
			if test.by == 0 && (!status.Exited() || status.ExitStatus() != 0 || tm.stderr.Len() > 0) {
				t.Errorf("it ended with %#x and said %q, want exit status 0", status, tm.stderr.String())
			}
			if test.by != 0 && (!status.Signaled() || status.Signal() != test.by) {
				t.Errorf("it ended with %#x, want signal %v", status, test.by)
			}
			if test.by != 0 && tm.stderr.String() != "pview: interrupted\n" {
				t.Errorf("it said %q", tm.stderr.String())
			}
			tm.checkGivenBack()
			tm.checkUnderstood()
			if text := strings.TrimSpace(tm.text()); text != "" {
				t.Errorf("the main screen shows %q", text)
			}
		})
	}
}

// SIGQUIT, which asks a hanging program for its stacks, prints them on a readable terminal.
func TestQuitSignal(t *testing.T) {
	t.Parallel()
	tm := open(t, 80, 24, nil)
	tm.signal(syscall.SIGQUIT)
	tm.end()
	tm.checkGivenBack()
	if !strings.Contains(tm.stderr.String(), "goroutine ") {
		t.Errorf("it said %q", tm.stderr.String())
	}
}

// Ctrl-Z gives the terminal to the shell, and fg brings the viewer back as it was; so does a stop signal from outside.
func TestSuspend(t *testing.T) {
	for name, stop := range map[string]func(tm *terminal){
		"Ctrl+Z":  func(tm *terminal) { tm.press(keyCtrlZ) },
		"SIGTSTP": func(tm *terminal) { stopChild(t, tm.cmd.Process.Pid) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testSuspend(t, stop)
		})
	}
}

// stopChild sends a stop signal to the child of a process.
func stopChild(t *testing.T, pid int) {
	t.Helper()
	thread := fmt.Sprintf("/proc/%d/task/%d", pid, pid)
	if _, err := os.Stat(thread + "/children"); err != nil {
		t.Skip("the children of a process cannot be listed here")
	}
	children := childrenOf(thread)
	if len(children) != 1 {
		t.Fatalf("process %d has the children %v", pid, children)
	}
	if err := syscall.Kill(children[0], syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
}

func testSuspend(t *testing.T, stop func(tm *terminal)) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to go back to")
	}
	tm := start(t, 100, 30, nil, withEnv("PS1=shell> ", "BASH_SILENCE_DEPRECATION_WARNING=1"), func(tm *terminal) {
		tm.cmd.Path, tm.cmd.Args = bash, []string{"bash", "--norc", "--noprofile", "-i"}
		tm.mixed = true // a shell prompts on standard error
	})
	tm.awaitText("shell>")
	tm.press(pview+" "+heat(t), keyEnter)
	tm.awaitText("(all)")
	tm.settle()
	tm.press("+")
	tm.awaitText("50.0 %)")
	before := tm.settle()
	stop(tm)
	tm.awaitText("Stopped")
	tm.see(func(s *vt.Screen) {
		if s.Modes[vt.ModeAltScreen] || !s.Modes[vt.ModeCursor] || s.Modes[1002] || s.Modes[1003] || s.Modes[1006] {
			t.Errorf("the shell has modes %v", s.Modes)
		}
	})
	tm.press("fg", keyEnter)
	tm.await("the screen as before", func(s *vt.Screen) bool { return looks(s) == before })
	tm.settle()
	tm.press("+")
	tm.awaitText("25.0 %)")
	tm.press("q")
	tm.await("main screen", func(s *vt.Screen) bool { return !s.Modes[vt.ModeAltScreen] })
	tm.settle()
	tm.press("exit", keyEnter)
	tm.end()
	tm.checkUnderstood()
}

// Without an argument the demo trace opens: title, overview, rows, axis, legend
// and hints are on the screen, in the colours of the meanings of states.
func TestDemo(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, nil)
	for _, want := range []string{"pview", "demo", "16 tasks", "State As Is", " 1.16.1", "efficient", "0.2 s",
		"Running", "? help"} {
		if !strings.Contains(tm.text(), want) {
			t.Errorf("there is no %q", want)
		}
	}
	tm.see(func(s *vt.Screen) {
		const running = "4285be" // useful
		colours := map[string]bool{}
		for x := range s.Columns {
			st := s.At(x, 10).Style
			for _, c := range []any{st.Fg, st.Bg} {
				if rgba, ok := c.(interface{ RGBA() (r, g, b, a uint32) }); ok {
					r, g, b, _ := rgba.RGBA()
					colours[fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)] = true
				}
			}
		}
		if !colours[running] {
			t.Errorf("a row has the colours %v, without that of Running", colours)
		}
		if !strings.Contains(s.Title, "pview") {
			t.Errorf("the title of the terminal is %q", s.Title)
		}
	})
	tm.leave()
}

var share = regexp.MustCompile(`\((?:[^()]*, )?([0-9.]+ %|all)\)`)

// shareOfRun words the part of the run in view, for the title.
func shareOfRun(s *vt.Screen) string {
	if m := share.FindStringSubmatch(looks(s)); m != nil {
		return m[1]
	}
	return ""
}

// timeline returns the screen without the lines below it, which show messages.
func timeline(s *vt.Screen) string {
	lines := strings.Split(looks(s), "\n")
	return strings.Join(lines[:len(lines)-2], "\n")
}

// Zooming and panning change the view; undo takes each step back, to the very
// cell; redo makes it again.
func TestZoomPanUndo(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, []string{heat(t)})
	steps := []struct{ key, share string }{
		{"+", "50.0 %"}, {"+", "25.0 %"}, {keyRight, "25.0 %"}, {"-", "50.0 %"}, {keyRight, "50.0 %"},
	}
	tm.press(keyEsc) // after the first key the headline no longer names Enter
	tm.settle()
	var views []string
	keep := func() { tm.see(func(s *vt.Screen) { views = append(views, timeline(s)) }) }
	keep()
	for i, step := range steps {
		tm.press(step.key)
		tm.await(fmt.Sprintf("%s of the run after %q", step.share, step.key), func(s *vt.Screen) bool {
			return timeline(s) != views[i] && shareOfRun(s) == step.share
		})
		tm.settle()
		keep()
	}
	for i := len(steps) - 1; i >= 0; i-- {
		tm.press("u")
		tm.await("view before "+steps[i].key+":\n"+views[i]+"\n", func(s *vt.Screen) bool {
			return timeline(s) == views[i]
		})
	}
	tm.press("\x12") // Ctrl+R
	tm.await("view after redo:\n"+views[1]+"\n", func(s *vt.Screen) bool { return timeline(s) == views[1] })
	tm.leave()
}

// The help lists the keys and goes away; the palette completes a name.
func TestHelpAndPalette(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, []string{heat(t)})
	tm.press(keyEsc)
	before := tm.settle()
	tm.press("?")
	tm.awaitText("pan left")
	tm.press("q")
	tm.await("screen from before the help:\n"+before+"\n", func(s *vt.Screen) bool { return looks(s) == before })
	tm.press(":", "zoom-i")
	tm.awaitText("zoom in")
	tm.press("\t", keyEnter)
	tm.await("half of the run", func(s *vt.Screen) bool { return strings.Contains(looks(s), "50.0 %)") })
	tm.press(":", "nonsense", keyEnter)
	tm.awaitText("no such command")
	tm.settle()
	tm.press(keyEsc) // the prompt keeps refused input
	tm.settle()
	tm.leave()
}

// What/Where names what is at the cursor: state, events, messages.
func TestWhatWhere(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, []string{heat(t)})
	tm.press("g", "50%", keyEnter)
	tm.settle()
	tm.press(keyEnter)
	tm.awaitText("What/Where")
	tm.await("a named state and a named event", func(s *vt.Screen) bool {
		text := looks(s)
		return regexp.MustCompile(`state +(Running|Wait/WaitAll|Group Communication|Immediate \w+)`).MatchString(
			text) &&
			regexp.MustCompile(`event +\S*(MPI|Caller|User function|PERF_COUNT)`).MatchString(text)
	})
	tm.press(keyEsc)
	tm.settle()
	tm.leave()
}

// A terminal that knows kitty's keyboard protocol sends keys in another way.
func TestKittyKeyboard(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, []string{heat(t)}, func(tm *terminal) { tm.screen.Kitty = true })
	tm.see(func(s *vt.Screen) {
		if len(s.Keyboard) == 0 {
			t.Error("the protocol is not asked for")
		}
	})
	tm.press(keyRight, "\x1b[13u") // Enter
	tm.awaitText("What/Where")
	tm.press("\x1b[27u") // Esc
	tm.press("+")
	tm.awaitNoText("(all)")
	tm.leave()
}

// The wheel zooms at the pointer; a click, or a move, which leaves the cursor, shows what is there.
func TestMouse(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, []string{heat(t)})
	tm.press("\x1b[<64;60;11M") // wheel up in column 60 of row 11
	tm.await("a part of the run in view", func(s *vt.Screen) bool { return !strings.Contains(looks(s), "(all)") })
	tm.press("\x1b[<0;60;11M", "\x1b[<0;60;11m")
	tm.awaitText("1.4.1  Wait/WaitAll (8)  925.4 us")
	tm.settle()
	tm.press("\x1b[<35;60;15M") // moved without a button
	tm.awaitText("1.6.1  Immediate Receive (11)  4.505 us")
	tm.press("\x1b[<35;60;1M")
	tm.awaitNoText("1.6.1  Immediate Receive (11)  4.505 us")
	tm.settle()
	tm.leave()
}

// A terminal without a size, as of a serial line or docker exec -t, is drawn as 80x24 until it reports one.
func TestUnknownSize(t *testing.T) {
	t.Parallel()
	tm, plain := open(t, 0, 0, []string{heat(t)}), open(t, 80, 24, []string{heat(t)})
	if got, want := tm.settle(), plain.settle(); got != want {
		t.Errorf("0x0 shows\n%s\nand 80x24\n%s", got, want)
	}
	tm.resize(120, 40)
	tm.await("wider screen", func(s *vt.Screen) bool {
		return strings.Contains(looks(s), "? help") && strings.Count(looks(s), "\n") > 30
	})
	plain.leave()
	tm.leave()
}

// The screen fits every size, and a resize gives the same screen as a start in that size.
func TestSizes(t *testing.T) {
	t.Parallel()
	sizes := [][2]int{{60, 15}, {200, 60}, {80, 24}, {300, 100}}
	resized := open(t, 100, 30, []string{heat(t)})
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			fresh := open(t, size[0], size[1], []string{heat(t)})
			resized.t = t
			resized.resize(size[0], size[1])
			fresh.settle()
			want := ""
			resized.await("screen of the new size", func(s *vt.Screen) bool {
				want = fresh.text()
				return looks(s) == want
			})
			for _, part := range []string{"pview", "State As Is", "1.1.1  ", "? help"} {
				if !strings.Contains(want, part) {
					t.Errorf("there is no %q on\n%s", part, want)
				}
			}
			fresh.leave()
		})
	}
	resized.t = t
	resized.leave()
}

// A terminal of a few cells causes no crash.
func TestTinyTerminals(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {2, 5}, {20, 3}, {5, 40}} {
		tm := start(t, size[0], size[1], nil)
		tm.await("alternate screen", func(s *vt.Screen) bool { return s.Modes[vt.ModeAltScreen] })
		tm.settle()
		tm.press("+", keyRight, "?", "q", keyEnter)
		tm.resize(80, 24)
		tm.awaitText("What/Where  1.1.1")
		tm.settle()
		tm.leave()
	}
}

// forbidden returns why a style must not be on the screen, "" if it may be.
type forbidden func(st vt.Style) string

func noColour(st vt.Style) string {
	if st.Fg != nil || st.Bg != nil {
		return "colour"
	}
	return ""
}

// Only colours that the terminal has, or the user wants, are used.
func TestColours(t *testing.T) {
	t.Parallel()
	only := func(allowed func(any) bool) forbidden {
		return func(st vt.Style) string {
			for _, c := range []any{st.Fg, st.Bg} {
				if c != nil && !allowed(c) {
					return fmt.Sprintf("colour %v", c)
				}
			}
			return ""
		}
	}
	basic := func(c any) bool { _, ok := c.(ansi.BasicColor); return ok }
	indexed := func(c any) bool { _, ok := c.(ansi.IndexedColor); return ok || basic(c) }
	tests := []struct {
		name   string
		args   []string
		env    []string
		reject forbidden
	}{
		{"NO_COLOR", nil, []string{"NO_COLOR=1"}, noColour},
		{"never", []string{"--color", "never"}, nil, noColour},
		{"16", []string{"--color", "16"}, nil, only(basic)},
		{"256", []string{"--color", "256"}, nil, only(indexed)},
		{"256 by TERM", nil, []string{"COLORTERM="}, only(indexed)},
		{"16 by TERM", nil, []string{"COLORTERM=", "TERM=xterm"}, only(indexed)},
		{"truecolor against TERM", []string{"--color", "truecolor"}, []string{"COLORTERM=", "TERM=xterm"},
			func(vt.Style) string { return "" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tm := open(t, 80, 24, append(test.args, heat(t)), withEnv(test.env...))
			tm.press("+", keyEnter)
			tm.awaitText("What/Where")
			tm.settle()
			colours := map[any]bool{}
			tm.see(func(s *vt.Screen) {
				for y := range s.Rows {
					for x := range s.Columns {
						cell := s.At(x, y)
						if why := test.reject(cell.Style); why != "" {
							t.Fatalf("%q in line %d has %s", cell.Text, y, why)
						}
						colours[cell.Style.Fg], colours[cell.Style.Bg] = true, true
					}
				}
			})
			if none := test.reject(vt.Style{Fg: ansi.BasicColor(1)}) != ""; none != (len(colours) == 1) {
				t.Errorf("the colours are %v", colours)
			}
			tm.leave()
		})
	}
}

// Without colour, glyphs tell the states apart.
func TestGlyphsWithoutColour(t *testing.T) {
	t.Parallel()
	tm := open(t, 100, 30, []string{heat(t)}, withEnv("NO_COLOR=1"))
	glyphs := map[rune]bool{}
	tm.see(func(s *vt.Screen) {
		for y := range s.Rows {
			if row, ok := strings.CutPrefix(s.Line(y), " 1.1.1 "); ok {
				for _, r := range row {
					glyphs[r] = true
				}
				break // the readout below begins alike
			}
		}
	})
	if delete(glyphs, ' '); len(glyphs) < 3 {
		t.Errorf("the first row is drawn with %d glyphs", len(glyphs))
	}
	tm.leave()
}

// With --ascii, and in an ASCII locale, the screen has only ASCII characters.
func TestASCII(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args []string
		env  []string
	}{
		{"flag", []string{"--ascii"}, nil},
		{"locale", nil, []string{"LANG=C"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			tm := open(t, 80, 24, append(test.args, heat(t)), withEnv(test.env...))
			tm.press("+", keyEnter)
			tm.awaitText("What/Where")
			for _, r := range tm.settle() {
				if r > unicode.MaxASCII {
					t.Fatalf("there is %q on\n%s", r, tm.text())
				}
			}
			tm.press(keyEsc)
			tm.settle()
			tm.press("?")
			tm.awaitText("Left/Right pan")
			for _, r := range tm.settle() {
				if r > unicode.MaxASCII {
					t.Fatalf("there is %q in the help\n%s", r, tm.text())
				}
			}
			tm.press("q")
			tm.awaitNoText("pan-left")
			tm.leave()
		})
	}
}

// A terminal that never answers gets its screen all the same.
func TestMuteTerminal(t *testing.T) {
	t.Parallel()
	tm := open(t, 80, 24, nil, mute())
	tm.press("+")
	tm.awaitNoText("(all)")
	tm.leave()
}

// Input that is no terminal: the keys come from the terminal anyway.
func TestInputIsNoTerminal(t *testing.T) {
	t.Parallel()
	tm := open(t, 80, 24, nil, func(tm *terminal) {
		null, err := os.Open(os.DevNull)
		if err != nil {
			tm.t.Fatal(err)
		}
		tm.t.Cleanup(func() { null.Close() })
		tm.stdin = null
	})
	tm.press("+")
	tm.awaitNoText("(all)")
	tm.leave()
}

// Every trace of testdata opens, small and large, and the terminal knows everything that it is sent.
func TestTraces(t *testing.T) {
	t.Parallel()
	traces, err := filepath.Glob(filepath.Join(testdata(t), "*", "*.prv*"))
	if err != nil || len(traces) < 3 {
		t.Fatal(traces, err)
	}
	for _, trace := range traces {
		for _, size := range [][2]int{{80, 24}, {200, 60}} {
			t.Run(fmt.Sprintf("%s %dx%d", filepath.Base(trace), size[0], size[1]), func(t *testing.T) {
				t.Parallel()
				tm := open(t, size[0], size[1], []string{trace})
				if !strings.Contains(tm.text(), filepath.Base(trace)) {
					t.Errorf("the title does not name the trace:\n%s", tm.text())
				}
				tm.leave()
			})
		}
	}
}

// A pan by one column sends little.
func TestBytesPerPan(t *testing.T) {
	t.Parallel()
	const most = 4 << 10
	tm := open(t, 200, 60, []string{heat(t)})
	tm.press("g", "50%", keyEnter)
	tm.settle()
	tm.press("+", "+", "+")
	tm.settle()
	for _, key := range []string{"(", ")", "(", "("} {
		sentBefore, before := tm.sentBytes(), tm.text()
		tm.press(key)
		tm.await("change", func(s *vt.Screen) bool { return looks(s) != before })
		tm.settle()
		if sent := tm.sentBytes() - sentBefore; sent > most {
			t.Errorf("%q sends %d bytes, want at most %d", key, sent, most)
		} else {
			t.Logf("%q sends %d bytes", key, sent)
		}
	}
	tm.leave()
}

// Bubble Tea's own renderer shows the same as the usual one, whether the flag or the environment asks for it: while the
// view moves, under a prompt, after a resize and after the screen was redrawn.
func TestRenderers(t *testing.T) {
	t.Parallel()
	play := func(t *testing.T, args []string, options ...option) (screens []string) {
		tm := open(t, 100, 30, append(args, heat(t)), options...)
		keep := func(s string) { screens = append(screens, s) }
		keep(tm.settle())
		for _, keys := range [][]string{{"+", "+"}, {")"}, {"?"}, {keyEsc}, {":", "zoom"}, {keyEsc}} {
			tm.press(keys...)
			keep(tm.settle())
		}
		tm.resize(90, 26)
		tm.awaitText("quit")
		keep(tm.settle())
		tm.press("\f") // redraw
		keep(tm.settle())
		tm.leave()
		return screens
	}
	want := play(t, nil)
	for name, got := range map[string][]string{
		"flag":        play(t, []string{"--renderer", "bubbletea"}),
		"environment": play(t, nil, withEnv("PVIEW_RENDERER=bubbletea")),
		"flag first":  play(t, []string{"--renderer", "pview"}, withEnv("PVIEW_RENDERER=bubbletea")),
	} {
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: screen %d is\n%s\nwant\n%s", name, i, got[i], want[i])
			}
		}
	}
}

// A terminal that cannot place text gets no escape sequence: the viewer refuses, and long work shows no progress.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{heat(t)}, 2,
			"pview: the viewer needs a terminal with cursor addressing, not TERM=dumb; `pview info TRACE` prints the " +
				"contents of a trace"},
		{[]string{"info", "--no-index", heat(t)}, 0, ""},
		{[]string{"--help"}, 0, ""},
		{[]string{"info", "none.prv"}, 1, "pview: none.prv: no such file or directory"},
	} {
		tm := start(t, 120, 40, test.args, withEnv("TERM=dumb"))
		if status := tm.end(); !status.Exited() || status.ExitStatus() != test.status {
			t.Errorf("%q: it ended with %#x, want exit status %d", test.args, status, test.status)
		}
		if got := tm.stderr.String(); !strings.Contains(got, test.says) {
			t.Errorf("%q: it said %q", test.args, got)
		}
		tm.see(func(s *vt.Screen) {
			if sent := s.Sequences - 1; sent > 0 { // one is the test's, see drain
				t.Errorf("%q: it sent %d escape sequences", test.args, sent)
			}
		})
	}
}

// File names are cleaned before they reach the terminal: no escape sequence in a name takes effect.
func TestTitleIsCleaned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{
		"plain.prv":                "pview: plain.prv",
		"a\x1b]52;c;cHdk\x07b.prv": "pview: a]52;c;cHdkb.prv",
		"c1\u009c\u202exyz.prv":    "pview: c1xyz.prv",
		"bad\x9b\xff.prv":          "pview: badÿ.prv",
	} {
		write(t, dir, name, []byte(good))
		tm := open(t, 80, 24, []string{name}, inDir(dir))
		tm.see(func(s *vt.Screen) {
			if s.Title != want {
				t.Errorf("%q: the title is %q, want %q", name, s.Title, want)
			}
		})
		tm.leave()
	}
}

// A file that cannot be opened ends the viewer: one line, status 1, the terminal
// as before.
func TestViewerRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "bad.prv", []byte("hello\n"))
	write(t, dir, "record.prv", []byte(good+"7:1\n"))
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"none.prv"}, "none.prv: no such file or directory"},
		{[]string{"none.prv", "bad.prv"},
			"none.prv: no such file or directory; " +
				`bad.prv:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{[]string{"bad.prv"}, `bad.prv:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{[]string{"--strict", "record.prv"}, "record.prv:4: unknown kind of record: 7:1"},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			tm := start(t, 80, 24, test.args, inDir(dir))
			if status := tm.end(); !status.Exited() || status.ExitStatus() != 1 {
				t.Errorf("it ended with %#x, want exit status 1", status)
			}
			if got, want := tm.stderr.String(), "pview: "+test.want+"\n"; got != want {
				t.Errorf("it said %q, want %q", got, want)
			}
			tm.checkGivenBack()
			if text := strings.TrimSpace(tm.text()); text != "" {
				t.Errorf("the screen shows %q", text)
			}
		})
	}
}

// Bad records are reported on the screen, and again after it closes.
func TestViewerTellsOfBadRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "r.prv", []byte(good+"7:1\n1:1:1:9:1:0:1:1\n"))
	tm := open(t, 100, 24, []string{"r.prv"}, inDir(dir))
	tm.await("2 records", func(s *vt.Screen) bool {
		return regexp.MustCompile(`\b2 (bad )?records`).MatchString(looks(s))
	})
	tm.leave()
	if got, want := tm.stderr.String(),
		"pview: r.prv:4: unknown kind of record: 7:1 (2 bad records skipped)\n"; got != want {
		t.Errorf("it said %q, want %q", got, want)
	}
}

// A session brings back what was on the screen.
func TestSession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := open(t, 100, 30, []string{heat(t)}, inDir(dir))
	tm.press("+", "+")
	tm.await("quarter of the run", func(s *vt.Screen) bool { return shareOfRun(s) == "25.0 %" })
	tm.press(":", "save-session s.session.json", keyEnter)
	tm.await("session file", func(*vt.Screen) bool {
		return slices.ContainsFunc(names(t, dir), func(name string) bool {
			return strings.HasPrefix(name, "s.session")
		})
	})
	tm.leave()
	for _, args := range [][]string{{"--session", names(t, dir)[0]}, {names(t, dir)[0]}} {
		tm = start(t, 100, 30, args, inDir(dir))
		tm.await("quarter of the run", func(s *vt.Screen) bool { return shareOfRun(s) == "25.0 %" })
		tm.leave()
	}
}
