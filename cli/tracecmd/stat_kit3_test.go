package tracecmd

// The third kit: pairs that were not used during development, and the classes in which pview's answers differed. See
// its README; testdata has the classes.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/prv/prvtest"
)

// mayDiffer are the pairs of the third kit whose answer is not the reference's, with the reason. None may be added.
var mayDiffer = map[string]string{
	"k3_0524_dd__ovni_nanos6_task_types_thread": "a .pcf without states: Extrae's names, not Unknown state 0",
}

// TestThirdKit compares the pairs of the third kit whose results are kept with those of Paraver's tool.
func TestThirdKit(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "kit3", "paraver")
	k := &kit2{files: os.DirFS(dir), cfgs: "cfgs/", traces: []string{dir + "/traces/NAME.prv.gz"}}
	equal, all := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(k.read(t, "index.tsv"))), "\n")[1:] {
		f := strings.Split(line, "\t")
		p := pair{cfg: f[2], trace: f[1], kind: f[4], note: f[7]}
		if f[5] == "ref-crash" {
			continue
		}
		if p.kind != "refused" {
			if _, err := os.Stat(filepath.Join(dir, "results", f[0]+".ref.gz")); err != nil {
				continue // a large one that was equal
			}
		}
		all++
		got, err := k.ask(t, &p)
		wrong := ""
		switch {
		case p.kind == "refused" && (err != nil || strings.Count(got, "\n") <= 1):
		case p.kind == "refused":
			wrong = "answered, although the tool refuses"
		case err != nil:
			wrong = "refused: " + err.Error()
		default:
			wrong = sameAsPrinted(string(k.read(t, "results/"+f[0]+".ref")), got)
		}
		switch why, known := mayDiffer[f[0]]; {
		case wrong == "" && known:
			t.Errorf("%s is equal: strike it off the list (%s)", f[0], why)
		case wrong == "":
			equal++
		case !known:
			t.Errorf("%s: %s", f[0], wrong)
		}
	}
	t.Logf("%d of %d are equal", equal, all)
	if all != 69 {
		t.Errorf("the kit has %d pairs", all)
	}
}

// sameAsPrinted compares an answer with the tool's output: "" if they are the same. In timelines of resources the tool
// prints names one too low, and none for the whole system: these are compared in order.
func sameAsPrinted(printed, got string) string {
	if !isMatrix(printed) {
		return sameBursts(strings.Split(strings.TrimRight(printed, "\n"), "\n"), kitLines(got), false)
	}
	return sameCells(cellsOf(printed), kitLines(got))
}

// isMatrix reports whether a histogram was printed: a line of a timeline begins with an object and has a number in each
// of the other three fields.
func isMatrix(printed string) bool {
	line, _, _ := strings.Cut(printed, "\n")
	return !regexp.MustCompile(`^[^\t]*\t[\d.]+\t[\d.]+\t[-\d.na]+$`).MatchString(line)
}

// cellsOf returns the cells of histograms printed by the tool, as lines in pview's form: plane, row, column and value.
// A plane's name is on a separate line above its matrix.
func cellsOf(printed string) (cells []string) {
	plane := "-"
	var columns []string
	for line := range strings.Lines(printed) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.Split(strings.TrimSuffix(line, "\t"), "\t")
		switch {
		case line == "":
		case !strings.Contains(line, "\t"):
			plane = line
		case fields[0] == "":
			columns = fields[1:]
		default:
			for i, v := range fields[1:] {
				cells = append(cells, strings.Join([]string{plane, fields[0], columns[i], v}, "\t"))
			}
		}
	}
	return cells
}

// TestClasses compares the classes of the third kit: each has the smallest files that show one way in which pview's
// answer differed. Their READMEs say what the reference does, and where.
func TestClasses(t *testing.T) {
	const dir = "../../testdata/oracle/classes"
	for class, cell := range map[string]string{"3d-auto-planes": "", "auto-scale-range-end": "", "cpu-first-burst": "",
		"negative-states": "", "relative-begin-rounding": "", "row-label-blanks": "",
		// The kit has only this cell of their results: of the column that remains, and of the one whose scale ends at
		// 0.
		"hidecols-without-values": "-\ttype 0\tTH 1.28992\t0.0000000000\n",
		"scale-negative-maximum":  "-\tTASK 1.1\t[-0.839071529..0.000000000]\t0.0000595168\n"} {
		t.Run(class, func(t *testing.T) {
			k := &kit2{files: os.DirFS(filepath.Join(dir, class)), traces: []string{dir + "/" + class + "/NAME.prv",
				dir + "/" + class + "/NAME.prv.gz"}}
			got, err := k.ask(t, &pair{cfg: "h", trace: "t"})
			if err != nil {
				t.Fatal(err)
			}
			if cell != "" {
				if !strings.Contains(got, cell) {
					t.Errorf("no cell %q in\n%s", cell, got)
				}
				return
			}
			if wrong := sameAsPrinted(string(k.read(t, "reference.txt")), got); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}
