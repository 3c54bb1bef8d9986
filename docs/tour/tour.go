// Package tour has the guided tour of pview on its demo trace: one table, from which come the page docs/tour.md (go
// generate), its pictures (go run ./docs/picture), and the test that presses its keys.
package tour

import (
	"fmt"
	"strings"
)

// Step is a stop of the tour: what is pressed, what is then on the screen, and what that means.
type Step struct {
	Title   string
	Keys    []string // names as in docs/keys.md, or text that is typed
	Text    string
	Sees    []string // what the screen must show then
	Picture string   // file in docs/; "" for none
}

// Columns and Rows are the size of the terminal.
const Columns, Rows = 120, 36

// Steps is the tour, in one session from the first to the last.
var Steps = []Step{
	{
		Title: "The first picture",
		Text: `Without an argument pview opens its demo trace: a simulated heat equation on 16 ranks with two OpenMP
threads each. A row is a thread, a colour is what it does: blue computes, red waits, yellow communicates. Where a
column is shorter than a state, the states of the column share its height by time. The line below the title says how
efficient the run is and where the rest is lost.`,
		Sees:    []string{"demo", "16 tasks", "efficient", "State As Is", "Running"},
		Picture: "tour-first.svg",
	},
	{
		Title: "What is wrong?",
		Keys:  []string{"B", "Enter"},
		Text: `B opens the workspace Why: what pview diagnose prints. Above, where the time went; then what costs
time, the most expensive first, with advice, the repair that was simulated and what it gained. Tab turns the pages of
a workspace; the next one draws where the time went as a waterfall. Enter shows the evidence of a finding: the
timeline goes to where it happens. Enter again goes to the next place, Backspace back to what was shown before.`,
		Sees:    []string{"Findings", "Rule R13", "advice"},
		Picture: "tour-findings.svg",
	},
	{
		Title: "Where does the time go?",
		Keys:  []string{"Esc", "0", "Q"},
		Text: `0 shows the whole run again. The page Profile counts the time in view by state, MPI call and
function; it follows when you zoom. Enter goes to the longest burst of an entry.`,
		Sees:    []string{"MPI calls", "Functions", "useful"},
		Picture: "tour-profile.svg",
	},
	{
		Title: "Another view of the same time",
		Keys:  []string{"v", "/", "mpi call", "Enter"},
		Text: `v offers views of what the trace has: j and k move, / narrows the list to a part of a name (useful,
ipc, late, iteration ...). Here the colours are MPI calls.`,
		Sees:    []string{"MPI call · thread", "MPI_Waitall"},
		Picture: "",
	},
	{
		Title: "Numbers",
		Keys:  []string{"a"},
		Text: `The Analyzer counts what the timeline shows: the share of each MPI call, thread by thread, as a heat
map. The Analyzer is the first page of the workspace Table. Press c for more or less colour, v for other tables, Enter
for the bursts behind a cell.`,
		Sees:    []string{"% Window Time", "Total", "Maximum"},
		Picture: "tour-analyzer.svg",
	},
	{
		Title: "What if the network were slower?",
		Keys:  []string{"Esc", ":", "simulate ethernet-1g", "Enter"},
		Text: `The workspace What-if (s) predicts the run on another machine, here with gigabit Ethernet, and draws it
below the measured one on the same time axis. + doubles the field at the cursor, - halves it, and the prediction
follows; m chooses a machine, "ideal" among them.`,
		Sees:    []string{"Predicted", "of measured", "Latency"},
		Picture: "tour-simulator.svg",
	},
	{
		Title: "What has changed?",
		Keys:  []string{"Esc", "="},
		Text: `The workspace Compare takes two runs apart, by phase, call, function, kind of wait and rank (Tab);
the parts add up to the difference. Enter shows a part in both timelines.`,
		Sees:    []string{"Compare", "B - A", "Phase"},
		Picture: "tour-compare.svg",
	},
	{
		Title: "Taken along",
		Keys:  []string{"Esc", ":", "export tour.png", "Enter"},
		Text: `export saves what has the focus: after Esc the timelines, in the Analyzer its table. The suffix says
how: .png, .svg, .pdf, or .html, a page that zooms and needs no pview. q quits, u undoes, ? lists the keys.`,
		Sees:    []string{"timelines saved as tour.png"},
		Picture: "",
	},
}

// named has the bytes that a terminal sends for keys with names.
var named = map[string]string{"Enter": "\r", "Esc": "\x1b", "Space": " ", "Tab": "\t"}

// Bytes returns what a terminal sends for a key, or for text that is typed.
func Bytes(key string) string {
	if b, ok := named[key]; ok {
		return b
	}
	return key
}

// Page returns docs/tour.md.
func Page() string {
	var b strings.Builder
	b.WriteString(
		"# A tour of pview\n\nThree minutes on the demo trace: start `pview` without an argument, and press what is " +
			"printed `like this`. The keys are pressed by a test, the pictures\n" +
			"are made by pview.\n")
	for i, s := range Steps {
		fmt.Fprintf(&b, "\n## %d. %s\n\n", i+1, s.Title)
		if len(s.Keys) > 0 {
			var keys []string
			for _, k := range s.Keys {
				keys = append(keys, "`"+k+"`")
			}
			b.WriteString("Press " + strings.Join(keys, " ") + "\n\n")
		}
		b.WriteString(s.Text + "\n")
		if s.Picture != "" {
			fmt.Fprintf(&b, "\n![%s](%s)\n", s.Title, s.Picture)
		}
	}
	b.WriteString(more)
	b.WriteString("\nAll keys are in [keys.md](keys.md), all commands in [commands.md](commands.md).\n")
	return b.String()
}

// Repair is the repair of the first finding on the demo trace, in the words of pview diagnose --repair: that of the
// story
// in README.md.
const Repair = "balance:region=update_cells._omp_fn.0:each"

// more is the rest of the page: what the steps did not need, and the commands.
const more = `
## More of the screen

- Move the cursor (` + "`" + `h` + "`" + ` ` + "`" + `j` + "`" + ` ` + "`" + `k` + "`" + ` ` + "`" + `l` + "`" + `, or click) to something odd and press ` + "`" + `+` + "`" + ` a few times, or turn the wheel, to zoom in there. The arrows pan, ` + "`" + `u` + "`" + ` undoes every step, ` + "`" + `0` + "`" + ` shows the whole run.
- ` + "`" + `Enter` + "`" + ` opens What/Where, the records at the cursor and around it: the state and its duration, events with their names, messages with their logical and physical times; ` + "`" + `Enter` + "`" + ` on a message jumps to its partner. ` + "`" + `Esc` + "`" + ` goes back.
- ` + "`" + `Space` + "`" + `, move, ` + "`" + `Space` + "`" + ` selects a time range (or drag the mouse); the status line shows its length, and ` + "`" + `z` + "`" + ` zooms to it.
- ` + "`" + `v` + "`" + ` chooses another view: MPI calls, user functions, any function of Paraver's. ` + "`" + `/` + "`" + ` searches the names of events and shows one of them. ` + "`" + `x` + "`" + ` draws messages, ` + "`" + `f` + "`" + ` filters, ` + "`" + `t` + "`" + ` goes from threads to tasks, nodes or CPUs.
- ` + "`" + `Ctrl+T` + "`" + ` clones the window, ` + "`" + `S` + "`" + ` synchronises the time axes of windows, ` + "`" + `Ctrl+O` + "`" + ` opens a second trace below the first.
- Everything else is a page of one of five workspaces; a letter opens each, ` + "`" + `Tab` + "`" + ` turns its pages, ` + "`" + `Esc` + "`" + ` goes back to the timeline. ` + "`" + `B` + "`" + `, Why: what is wrong with the run, ranked by what it costs (` + "`" + `Enter` + "`" + ` shows the evidence in the timeline, ` + "`" + `e` + "`" + ` explains the wait at the cursor), where the time went, the critical path (` + "`" + `Alt+K` + "`" + ` shows it in a window, too), the POP factors, and the structure of a master with workers or a pipeline.
- ` + "`" + `a` + "`" + `, Table: statistics of each row and histograms, over the selection or the view; a profile of the time in view (also ` + "`" + `Q` + "`" + `); messages between tasks and over links; clusters of similar bursts. ` + "`" + `Alt+V` + "`" + ` shows the call stack.
- ` + "`" + `s` + "`" + `, What-if: change the latency, or any other parameter of the machine, and the predicted run appears below the measured one. ` + "`" + `-` + "`" + ` and ` + "`" + `+` + "`" + ` halve and double, ` + "`" + `Enter` + "`" + ` sets a value, ` + "`" + `m` + "`" + ` chooses a machine, ` + "`" + `u` + "`" + ` undoes; ` + "`" + `H` + "`" + ` lists the runs, ` + "`" + `c` + "`" + ` marks one to compare with, ` + "`" + `w` + "`" + ` saves machine and trace. The page Study makes parameters random and simulates hundreds of runs.
- ` + "`" + `Ctrl+K` + "`" + ` cuts the view, or the selection, out as a trace of its own.

## Commands

| command | what it does |
| --- | --- |
| ` + "`" + `pview [TRACE...] [CFG...]` + "`" + ` | the interactive viewer; without an argument, on the demo trace, with a list of recent traces and those in the current folder, if any |
| ` + "`" + `pview info TRACE` + "`" + ` | contents of a trace: resources, duration, records by state and event type |
| ` + "`" + `pview stat TRACE [CFG...]` + "`" + ` | timelines and histograms as numbers, from Paraver's ` + "`" + `.cfg` + "`" + ` files or from flags |
| ` + "`" + `pview what TRACE` + "`" + ` | the records around a time and an object: ` + "`" + `pview what run.prv --at 1.2s --object 1.3.1` + "`" + ` |
| ` + "`" + `pview sim TRACE` + "`" + ` | predicts the run on another machine, as Dimemas does: ` + "`" + `pview sim run.prv --machine infiniband-hdr --latency 2us` + "`" + ` |
| ` + "`" + `pview study KIND TRACE` + "`" + ` | many simulations: ` + "`" + `sweep` + "`" + ` and ` + "`" + `sensitivity` + "`" + ` of parameters, random inputs (` + "`" + `montecarlo` + "`" + `), ` + "`" + `fit` + "`" + ` to measured times, ` + "`" + `improve` + "`" + `, ` + "`" + `robust` + "`" + `, ` + "`" + `map` + "`" + `, ` + "`" + `modules` + "`" + ` made faster; kept, resumed, here or on Slurm |
| ` + "`" + `pview efficiency TRACE...` + "`" + ` | the POP factors of one or more runs, compared, and projected to more processes |
| ` + "`" + `pview diagnose TRACE` + "`" + ` | what is wrong with the run, ranked by what it costs, with evidence and advice; ` + "`" + `--html` + "`" + ` writes a page with pictures, ` + "`" + `--waits` + "`" + ` the wait states and their causes |
| ` + "`" + `pview compare A B` + "`" + ` | where the second run differs from the first: phase, call, function, wait, ranks; the parts add up to the difference |
| ` + "`" + `pview frameworks TRACE` + "`" + ` | for master/worker programs and pipelines: how many workers, which distribution, which stages to replicate; ` + "`" + `--simulate` + "`" + ` checks it |
| ` + "`" + `pview workload TRACE...` + "`" + ` | clusters of similar bursts, messages or runs; distributions; a model of the workload, from which ` + "`" + `pview synth --model` + "`" + ` makes a trace |
| ` + "`" + `pview critical TRACE` + "`" + ` | the critical path of a run |
| ` + "`" + `pview cut, filter, counters, shift TRACE` + "`" + ` | Paraver's trace tools: cut a time range, filter records, count events, shift threads in time |
| ` + "`" + `pview convert IN OUT` + "`" + ` | ` + "`" + `.prv` + "`" + `, ` + "`" + `.prv.gz` + "`" + `, OTF2's ` + "`" + `.otf2` + "`" + `, Charm++'s ` + "`" + `.sts` + "`" + `, PICL's traces in; ` + "`" + `.prv` + "`" + `, ` + "`" + `.dim` + "`" + `, PUPPET's ` + "`" + `.log` + "`" + `, Perfetto's ` + "`" + `.json` + "`" + `, PICL's ` + "`" + `.trf` + "`" + `, ` + "`" + `.parquet` + "`" + `, ` + "`" + `.arrow` + "`" + ` out |
| ` + "`" + `pview export TRACE -o FILE` + "`" + ` | pictures: ` + "`" + `.svg` + "`" + `, ` + "`" + `.png` + "`" + `, ` + "`" + `.pdf` + "`" + `, or an ` + "`" + `.html` + "`" + ` page that zooms |
| ` + "`" + `pview index TRACE` + "`" + ` | builds the index that opens a trace without parsing; lists and removes indexes |
| ` + "`" + `pview ring` + "`" + ` | compares scheduling policies with rings of tasks that share CPUs |
| ` + "`" + `pview list [FAMILY]` + "`" + ` | functions, filters, statistics, machines, policies, rules and actions |
`
