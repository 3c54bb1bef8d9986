//go:build unix

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pview/prv"
)

const heatTrace = "../../testdata/traces/heat2d_8/heat2d_8.prv.gz"

// readers returns a folder with the readers of tables that npm has; the test is skipped if they are not available. The
// folder is kept for the next run: they are some 100 MB.
func readers(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no %s here", name)
		}
	}
	if testing.Short() {
		t.Skip("they are large")
	}
	dir := filepath.Join(os.TempDir(), "pview-test-readers")
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "@duckdb/node-api",
		"apache-arrow")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install them: %v\n%s", err, out)
	}
	write(t, dir, "complete", nil)
	return dir
}

// blocks returns the code of a language in docs/data.md.
func blocks(t *testing.T, language string) (list []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		list = append(list, string(m[1]))
	}
	if len(list) == 0 {
		t.Fatalf("docs/data.md shows no %s", language)
	}
	return list
}

// node runs a script in the folder of the tables.
func node(t *testing.T, readers, dir, script string) string {
	t.Helper()
	write(t, dir, "script.js", []byte(script))
	cmd := exec.CommandContext(t.Context(), "node", "script.js")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(readers, "node_modules"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// convertHeat writes a trace as tables and with its index into its own folder.
func convertHeat(t *testing.T) (dir string, tr *prv.Trace) {
	t.Helper()
	dir = t.TempDir()
	for _, ext := range []string{".prv.gz", ".pcf", ".row"} {
		text, err := os.ReadFile(strings.TrimSuffix(heatTrace, ".prv.gz") + ext)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "run"+ext, text)
	}
	for _, args := range [][]string{{"convert", "run.prv.gz", "run.parquet"}, {"convert", "run.prv.gz", "run.arrow"},
		{"index", "run.prv.gz"}} {
		if r := run(t, dir, args...); r.status != 0 {
			t.Fatalf("%v: %s", args, r.stderr)
		}
	}
	tr, err := (&prv.Opener{NoIndex: true}).Open(t.Context(), filepath.Join(dir, "run.prv.gz"), prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return dir, tr
}

// DuckDB runs the SQL of docs/data.md over the Parquet files; its results match the trace.
func TestParquetInDuckDB(t *testing.T) {
	modules := readers(t)
	dir, tr := convertHeat(t)
	const between = "--\n"
	questions, err := json.Marshal(blocks(t, "sql"))
	if err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(node(t, modules, dir, `
const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
  for (const sql of `+string(questions)+`) {
    const db = await (await DuckDBInstance.create(":memory:")).connect();
    for (const row of (await db.runAndReadAll(sql)).getRowsJson()) console.log(row.join(" "));
    process.stdout.write("`+between[:2]+`\n");
  }
})();`), between)
	// The ten longest MPI_Waitall, from the events: 50000003 is "MPI Other", and its 0 ends the call.
	type call struct{ rank, begin, length int64 }
	var calls []call
	for i := range tr.Threads {
		e, begin := &tr.Threads[i].Events, int64(-1)
		for k, typ := range e.Type {
			about, _ := tr.Labels.Type(typ)
			if about == nil || !strings.HasPrefix(about.Label, "MPI") {
				continue
			}
			if label, _ := about.ValueLabel(e.Value.At(k)); label == "MPI_Waitall" {
				begin = e.Time[k]
			} else if e.Value.At(k) == 0 && begin >= 0 {
				calls = append(calls, call{int64(i), begin, e.Time[k] - begin})
				begin = -1
			}
		}
	}
	slices.SortFunc(calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(b.length, a.length), cmp.Compare(a.rank, b.rank), cmp.Compare(a.begin, b.begin))
	})
	var want strings.Builder
	for _, c := range calls[:10] {
		fmt.Fprintln(&want, c.rank, float64(c.begin)/1e6, float64(c.length)/1e6)
	}
	if answers[0] != want.String() {
		t.Errorf("the ten longest MPI_Waitall:\n%swant\n%s", answers[0], want.String())
	}
	// Bytes from rank to rank.
	bytes := map[string][2]int64{}
	for i := range tr.Comms.Send {
		key := fmt.Sprint(tr.Comms.Send[i], " ", tr.Comms.Recv[i])
		bytes[key] = [2]int64{bytes[key][0] + 1, bytes[key][1] + tr.Comms.Size[i]}
	}
	lines := strings.Split(strings.TrimSpace(answers[2]), "\n")
	if len(lines) != len(bytes) {
		t.Errorf("%d pairs of ranks, want %d", len(lines), len(bytes))
	}
	for _, line := range lines {
		f := strings.Fields(line)
		if want := bytes[f[0]+" "+f[1]]; len(f) != 4 || f[2] != fmt.Sprint(want[0]) || f[3] != fmt.Sprint(want[1]) {
			t.Errorf("%s: want %v", line, want)
		}
	}
	if n := strings.Count(answers[1], "\n"); n != 8 {
		t.Errorf("times of calls of %d ranks, want 8:\n%s", n, answers[1])
	}
	if !strings.Contains(answers[3], "Running") {
		t.Errorf("no share of Running:\n%s", answers[3])
	}
}

// Apache Arrow for JavaScript reads the index as docs/data.md shows, and the tables.
func TestArrowInJavaScript(t *testing.T) {
	modules := readers(t)
	dir, tr := convertHeat(t)
	seconds := map[uint32]float64{}
	for i := range tr.Threads {
		s := &tr.Threads[i].States
		for k, v := range s.Value {
			seconds[v] += float64(s.End[k]-s.Begin[k]) * float64(tr.Unit.Nanoseconds()) / 1e9
		}
	}
	got := node(t, modules, dir, blocks(t, "js")[0])
	for v, s := range seconds {
		if want := fmt.Sprintf("%.6f %s\n", s, tr.Labels.StateName(int64(v))); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = node(t, modules, dir, `
const { readFileSync } = require("node:fs");
const { tableFromIPC } = require("apache-arrow");
for (const name of ["threads", "states", "events", "calls", "messages"]) {
  const table = tableFromIPC(readFileSync("run.arrow/" + name + ".arrow"));
  console.log(name, table.numRows, Object.values(table.get(0).toJSON()).join("|"));
}`)
	events, states := 0, 0
	for i := range tr.Threads {
		events += tr.Threads[i].Events.Len()
		states += tr.Threads[i].States.Len()
	}
	for _, want := range []string{"threads 8 1|1|1|1|", fmt.Sprintf("states %d 1|1|1|0|", states),
		fmt.Sprintf("events %d 1|1|1|", events), fmt.Sprintf("messages %d 1|", tr.Comms.Len())} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// polars and pandas run the code in docs/data.md, if Python has them.
func TestTablesInPython(t *testing.T) {
	dir := ""
	for _, code := range blocks(t, "python") {
		module := regexp.MustCompile(`import (\w+) as`).FindStringSubmatch(code)[1]
		if exec.Command("python3", "-c", "import "+module+", pyarrow").Run() != nil {
			t.Logf("no %s here", module)
			continue
		}
		if dir == "" {
			dir, _ = convertHeat(t)
		}
		cmd := exec.CommandContext(t.Context(), "python3", "-c", code)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Errorf("%s: %v\n%s", module, err, out)
		}
	}
	if dir == "" {
		t.Skip("Python has neither here")
	}
}

// A folder that holds anything but tables is not replaced; one that holds tables is.
func TestTablesReplaceOnlyTables(t *testing.T) {
	dir := t.TempDir()
	trace, err := filepath.Abs(heatTrace)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r := run(t, dir, "convert", trace, "run.parquet"); r.status != 0 {
			t.Fatal(r.stderr)
		}
	}
	write(t, filepath.Join(dir, "run.parquet"), "thesis.tex", []byte("precious"))
	if r := run(t, dir, "convert", trace, "run.parquet"); r.status != 1 ||
		!strings.Contains(r.stderr, "run.parquet: holds thesis.tex, which is not one of its files") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
	write(t, dir, "file.arrow", []byte("precious"))
	if r := run(t, dir, "convert", trace, "file.arrow"); r.status != 1 ||
		!strings.Contains(r.stderr, "a file has that name") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
	if list, _ := filepath.Glob(filepath.Join(dir, ".*")); len(list) > 0 {
		t.Errorf("left behind: %v", list)
	}
}
