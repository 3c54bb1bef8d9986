// Package tour has the guided tour of pview on its demo trace: one table, from which come the page docs/tour.md (go
// generate), its pictures (go run ./docs/picture), and the test that presses its keys.
package tour

import (
	_ "embed"
	"fmt"
	"strings"
)

// Step is a stop of the tour: the keys, what the screen then shows, and what it means.
type Step struct {
	Title   string
	Keys    []string // names as in docs/keys.md, or typed text
	Text    string
	Sees    []string // what the screen must then show
	Picture string   // file in docs/; "" for none
}

// Columns and Rows are the size of the terminal.
const Columns, Rows = 120, 36

// Steps is the tour, in one session from the first to the last.
var Steps = []Step{
	{
		Title: "The first picture",
		Text: `Without an argument pview opens its demo trace: a simulated heat equation on 16 ranks with two OpenMP
threads each. Each row is a thread, and the colour shows what it does: blue computes, red waits, yellow communicates.
States shorter than a column share its height by time. The line below the title says how efficient the run is and where
the rest is lost.`,
		Sees:    []string{"demo", "16 tasks", "efficient", "State As Is", "Running"},
		Picture: "tour-first.svg",
	},
	{
		Title: "What is wrong?",
		Keys:  []string{"B", "Enter"},
		Text: `B opens the workspace Why, which shows what pview diagnose prints. The top says where the time went;
below are the problems, the most expensive first, with advice, the simulated repair and its gain. Tab turns the pages of
a workspace; the next one draws where the time went as a waterfall. Enter shows the evidence of a finding: the
timeline goes to where it happens. Enter again goes to the next place, Backspace back to the previous view.`,
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
		Text: `v offers the views that the trace has data for: j and k move, / narrows the list to part of a name
(useful, ipc, late, iteration ...). Here the colours are MPI calls.`,
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
		Text: `The workspace Compare breaks down the difference between two runs by phase, call, function, kind of wait
and rank (Tab); the parts add up to the difference. Enter shows a part in both timelines.`,
		Sees:    []string{"Compare", "B - A", "Phase"},
		Picture: "tour-compare.svg",
	},
	{
		Title: "Save a picture",
		Keys:  []string{"Esc", ":", "export tour.png", "Enter"},
		Text: `export saves what has the focus: after Esc the timelines, in the Analyzer its table. The suffix chooses
the format: .png, .svg, .pdf, or .html, a page that zooms without pview. q quits, u undoes, ? lists the keys.`,
		Sees:    []string{"timelines saved as tour.png"},
		Picture: "",
	},
}

// named has the bytes that a terminal sends for keys with names.
var named = map[string]string{"Enter": "\r", "Esc": "\x1b", "Space": " ", "Tab": "\t"}

// Bytes returns what a terminal sends for a key or typed text.
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
		"# A tour of pview\n\nThree minutes on the demo trace: start `pview` without an argument, and press the keys " +
			"shown `like this`. A test presses them, and pview draws the pictures.\n")
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

// Repair is the repair of the first finding on the demo trace, in the words of pview diagnose --repair, as in the story
// in README.md.
const Repair = "balance:region=update_cells._omp_fn.0:each"

// more is the rest of the page: what the steps leave out, and the commands.
//
//go:embed more.md
var more string
