package tracecmd

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pview/cli/command"
	"pview/prv"
	"pview/prv/prvtest"
	"pview/semantic/cfg"
)

// pair is a configuration and a trace of the second kit, with the result of Paraver's tool.
type pair struct {
	cfg, trace string // "hand/m01_object_all", "tr05_ring"
	kind       string // timeline, histogram, refused
	empty      bool   // the tool printed no rows
	byName     bool   // the names of a timeline's objects are compared
	note       string
	text       []byte // of the configuration, if it is not the kit's
}

func (p *pair) name() string { return p.cfg + "__" + p.trace }

// class returns the kind of question of a pair: the first word of its name.
func (p *pair) class() string {
	folder, name, _ := strings.Cut(p.cfg, "/")
	if folder == "tree" {
		return folder
	}
	class, _, _ := strings.Cut(name, "_")
	return class
}

// kit2 is the second kit, as files in a folder or in an archive.
type kit2 struct {
	files  fs.FS
	cfgs   string   // the folder of the configurations, with a slash
	traces []string // patterns of paths with NAME for the name of the trace
	opened map[string]*prv.Trace
}

// sharedKit returns the whole kit, or a skipped test.
func sharedKit(t *testing.T) *kit2 {
	dir := prvtest.Shared(t, "oracle", "paraver2")
	base := filepath.Join(dir, "..", "..")
	return &kit2{files: os.DirFS(dir), cfgs: "cfgs/", traces: []string{base + "/traces/NAME/NAME.prv",
		base + "/traces/NAME/NAME.prv.gz",
		base + "/oracle/paraver/traces/NAME.prv", dir + "/traces/NAME.prv"}}
}

// ownKit returns the small part of the kit that is our own: see its README.
func ownKit(t *testing.T) *kit2 {
	files := unpack(t, "../../testdata/oracle/paraver2.tar.gz")
	dir := t.TempDir()
	for name, f := range files {
		if folder, file := path.Split(name); folder == "traces/" {
			if err := os.WriteFile(filepath.Join(dir, file), f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &kit2{files: files, cfgs: "cfgs/", traces: []string{dir + "/NAME.prv",
		"../../testdata/oracle/paraver/traces/NAME.prv",
		"../../testdata/traces/NAME/NAME.prv", "../../testdata/traces/NAME/NAME.prv.gz"}}
}

// unpack returns the files of an archive.
func unpack(t *testing.T, archive string) fstest.MapFS {
	t.Helper()
	packed, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	r := tar.NewReader(in)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		var data []byte
		if err == nil {
			data, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		files[h.Name] = &fstest.MapFile{Data: data}
	}
}

// read returns a file of the kit, packed or not.
func (k *kit2) read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(k.files, name)
	if err == nil {
		return text
	}
	packed, err := fs.ReadFile(k.files, name+".gz")
	if err != nil {
		t.Fatal(err)
	}
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if text, err = io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
	return text
}

// pairs reads the pairs that count, "yes", or those that do not, "no": crashes and faults of the tool.
func (k *kit2) pairs(t *testing.T, count string) (list []pair) {
	t.Helper()
	for _, line := range strings.Split(strings.TrimRight(string(k.read(t, "index.tsv")), "\n"), "\n")[1:] {
		if f := strings.Split(line, "\t"); f[5] == count {
			list = append(list, pair{cfg: f[0], trace: f[1], kind: f[2], empty: f[3] == "0", byName: f[4] == "name",
				note: f[7]})
		}
	}
	return list
}

func (k *kit2) open(t *testing.T, name string) *prv.Trace {
	t.Helper()
	if tr := k.opened[name]; tr != nil {
		return tr
	}
	for _, pattern := range k.traces {
		path := strings.ReplaceAll(pattern, "NAME", name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		tr, err := prv.Open(context.Background(), path, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if k.opened == nil {
			k.opened = map[string]*prv.Trace{}
		}
		k.opened[name] = tr
		return tr
	}
	t.Fatalf("no trace %s", name)
	return nil
}

// result returns the output of the tool for a pair.
func (k *kit2) result(t *testing.T, p *pair) string {
	t.Helper()
	_, name, _ := strings.Cut(p.name(), "/")
	return string(k.read(t, "results/"+name+".tsv"))
}

// config returns the text of a pair's configuration.
func (k *kit2) config(t *testing.T, p *pair) []byte { return k.read(t, k.cfgs+p.cfg+".cfg") }

// ask answers a pair as the command does.
func (k *kit2) ask(t *testing.T, p *pair) (string, error) {
	t.Helper()
	var out, problems bytes.Buffer
	a := &command.App{Streams: command.Streams{In: nil, Out: &out, Err: &problems}, Format: command.FormatFlag(),
		Color: command.ColorFlag()}
	a.Format.Value = "tsv"
	text := p.text
	if text == nil {
		text = k.config(t, p)
	}
	file, _, err := cfg.Read(p.cfg+".cfg", bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	tr := k.open(t, p.trace)
	s := &session{App: a, question: &question{precision: -1}, trace: tr, end: tr.Duration}
	answers, err := s.file(file)
	if err != nil {
		return "", err
	}
	err = s.print(context.Background(), answers)
	return out.String(), err
}

// differs compares an answer with the tool's; "" if they are the same.
func (p *pair) differs(want, got string) string {
	w, g := kitLines(want), kitLines(got)
	if p.kind == "timeline" {
		return sameBursts(w, g, p.byName)
	}
	return sameCells(w, g)
}

// kitLines returns the lines of a result without its header.
func kitLines(text string) []string {
	return strings.Split(strings.TrimRight(text, "\n"), "\n")[1:]
}

// sameBursts compares timelines line by line.
func sameBursts(w, g []string, byName bool) string {
	for i := range max(len(w), len(g)) {
		var x, y string
		if i < len(w) {
			x = w[i]
		}
		if i < len(g) {
			y = g[i]
		}
		if !byName {
			_, x, _ = strings.Cut(x, "\t")
			_, y, _ = strings.Cut(y, "\t")
		}
		if x != y {
			return fmt.Sprintf("burst %d of %d (%d wanted): got %q, want %q", i+1, len(g), len(w), y, x)
		}
	}
	return ""
}

// The tool prints noValue if it has no value: the maximum of nothing is the least possible number.
var noValue = regexp.MustCompile(`^(-?nan|-1797693134862315708\d{290}\.0+)$`)

// sameCells compares histograms cell by cell, whatever the order of rows and columns. If the tool has no value, any
// value is right.
func sameCells(w, g []string) string {
	keyed := func(list []string) map[string][]string {
		m := map[string][]string{}
		for _, line := range list {
			i := strings.LastIndexByte(line, '\t')
			m[line[:i]] = append(m[line[:i]], line[i+1:])
		}
		return m
	}
	cells := keyed(g)
	wanted := keyed(w)
	for _, line := range w {
		key := line[:strings.LastIndexByte(line, '\t')]
		values, left := wanted[key]
		if !left {
			continue
		}
		delete(wanted, key)
		got, ok := cells[key]
		if !ok {
			return fmt.Sprintf("no cell %q (%d cells, %d wanted; first %q, wanted %q)", key, len(g), len(w), first(g),
				first(w))
		}
		delete(cells, key)
		if len(got) != len(values) {
			return fmt.Sprintf("%d cells %q, %d wanted", len(got), key, len(values))
		}
		for i, v := range values {
			if !noValue.MatchString(v) && v != got[i] {
				return fmt.Sprintf("cell %q: got %s, want %s", key, got[i], v)
			}
		}
	}
	for key := range cells { // any value is right
		return fmt.Sprintf("cell %q too many (%d cells, %d wanted; first wanted %q)", key, len(g), len(w), first(w))
	}
	return ""
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// check answers a pair and returns what is wrong with the answer; "" if nothing.
func (k *kit2) check(t *testing.T, p *pair) string {
	got, err := k.ask(t, p)
	switch {
	case p.kind == "refused" && (err != nil || strings.Count(got, "\n") <= 1):
		return ""
	case p.kind == "refused":
		return "answered, although the tool refuses: " + p.note
	case err != nil:
		return "refused: " + err.Error()
	case p.empty:
		return p.differs("header\n", got)
	}
	return p.differs(k.result(t, p), got)
}

// TestSecondKit compares all pairs of the second kit that count with the results of Paraver's tool: values to the last
// digit, names, and refusals.
func TestSecondKit(t *testing.T) { sharedKit(t).compare(t, 2127) }

// TestOwnKit is TestSecondKit for the part of the kit in testdata.
func TestOwnKit(t *testing.T) { ownKit(t).compare(t, 684) }

// readTwice is the reason why pairs differ that read a window twice, as both parents or through another window.
const readTwice = "a window read twice has one cursor, which one reader moves for the other"

// faultyPairs are the pairs in which the tool is at fault, and pview's answer is not the tool's, with the reason. None
// may be added.
var faultyPairs = map[string]string{
	"hand/g_callmix_4_f2_044_derived__callmix_4":     readTwice,
	"hand/g_heat2d_8_f2_046_derived__heat2d_8":       readTwice,
	"hand/g_hybrid_4x4_f2_054_derived__hybrid_4x4":   readTwice,
	"hand/g_tealeaf_6_f2_002_histo__tealeaf_6":       readTwice,
	"hand/g_tealeaf_6_f2_008_histo__tealeaf_6":       readTwice,
	"hand/g_twoapps_4_4_f2_046_derived__twoapps_4_4": readTwice,
	"hand/g_twoapps_4_4_f2_054_derived__twoapps_4_4": readTwice,
	"hand/g_callmix_4_f7_056_derived__callmix_4":     "TaskID shifted past the end is the task still, here 0",
}

// extraParameter is the parameter of a compose function that is not the first of the extra ones.
var extraParameter = regexp.MustCompile(`(?m)^(window_semantic_module extratopcompose1 .*\{ 1, \{ 1 )[^ ]+( \} \}.*)$`)

// TestFaults compares the pairs of the second kit in which the tool is at fault, but does not crash. The tool does not
// read the parameters of an extra compose after one that has none (Abs, then Prod 3). It takes them as 0, which this
// test proves by setting them to 0; pview takes those in the file.
func TestFaults(t *testing.T) {
	k := sharedKit(t)
	equal, all := 0, 0
	for _, p := range k.pairs(t, "no") {
		if p.kind == "crash" {
			continue
		}
		all++
		wrong := k.check(t, &p)
		if p.kind != "refused" && strings.Contains(p.note, "extra compose") {
			if wrong == "" {
				t.Errorf("%s is equal, although the tool does not read the parameter", p.name())
			}
			p.text = extraParameter.ReplaceAll(k.config(t, &p), []byte("${1}0$2"))
			if wrong := k.check(t, &p); wrong != "" {
				t.Errorf("%s with 0: %s", p.name(), wrong)
			}
			continue
		}
		switch why, known := faultyPairs[p.name()]; {
		case wrong == "" && known:
			t.Errorf("%s is equal: strike it off the list (%s)", p.name(), why)
		case wrong == "":
			equal++
		case !known:
			t.Errorf("%s: %s [%s]", p.name(), wrong, p.note)
		}
	}
	t.Logf("%d of %d are equal", equal, all)
	if all != 50 {
		t.Errorf("the kit has %d such pairs", all)
	}
}

// compare compares the pairs, n in all, and logs how many are equal by class.
func (k *kit2) compare(t *testing.T, n int) {
	type count struct{ equal, all int }
	classes := map[string]*count{}
	all := &count{}
	for _, p := range k.pairs(t, "yes") {
		c := classes[p.class()]
		if c == nil {
			c = &count{}
			classes[p.class()] = c
		}
		c.all++
		all.all++
		wrong := k.check(t, &p)
		if wrong != "" {
			t.Errorf("%s: %s [%s]", p.name(), wrong, p.note)
			continue
		}
		c.equal++
		all.equal++
	}
	if all.all != n {
		t.Errorf("the kit has %d pairs", all.all)
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		t.Logf("%-5s %4d of %4d", name, classes[name].equal, classes[name].all)
	}
	t.Logf("all   %4d of %4d", all.equal, all.all)
}
