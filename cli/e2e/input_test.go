//go:build unix

package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// header is the header of a small trace: one node of two CPUs, one ptask of two tasks.
const header = "#Paraver (01/01/2026 at 10:00):1000_ns:1(2):1:2(1:1,1:1)\n"

// good is a valid trace: header is line 1, the records are lines 2 and 3.
const good = header + "1:1:1:1:1:0:10:1\n1:2:1:2:1:0:10:1\n"

func compress(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

// manyEvents returns a trace whose compressed form is long enough to be cut or damaged in its middle.
func manyEvents() string {
	b := bytes.NewBufferString(header)
	for i := range 20000 {
		fmt.Fprintf(b, "2:1:1:1:1:%d:1:%d\n", i, i*i*31%65521)
	}
	return b.String()
}

// A file that cannot be a trace is refused: one line that names file, line and
// reason, nothing on standard output, status 1.
func TestRefusedFiles(t *testing.T) {
	t.Parallel()
	body := "\n1:1:1:1:1:0:10:1\n"
	cut := compress(manyEvents())
	spoilt := bytes.Clone(cut)
	copy(spoilt[len(spoilt)/2:], "XXXXXXXX")
	tests := []struct {
		name    string // of the file
		content []byte // nil: there is no such file
		want    string // standard error after "pview: NAME"
	}{
		{"missing.prv", nil, ": no such file or directory"},
		{"empty.prv", []byte{}, ": empty file"},
		{"text.prv", []byte("hello\nworld\n"),
			`:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{"zeros.prv", make([]byte, 1<<20), `:1: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{"newformat.prv", []byte("new format\nhello\n"),
			`:2: not a Paraver trace: the first line does not begin with "#Paraver"`},
		{"nodate.prv", []byte("#Paraver\n"), ":1: broken header: no date in parentheses behind #Paraver"},
		{"noend.prv", []byte("#Paraver (x):" + body), ":1: broken header: the line ends where the end time must stand"},
		{"badend.prv", []byte("#Paraver (x):ten_ns:1(2):1:1(1:1)" + body),
			`:1: broken header: the end time is not a number: "ten_ns:1(2):1:1(1:1)"`},
		{"hugeend.prv", []byte("#Paraver (x):99999999999999999999:1(2):1:1(1:1)" + body),
			":1: broken header: the end time is too large: 99999999999999999999"},
		{"noapps.prv", []byte("#Paraver (x):1000:1(2):" + body),
			":1: broken header: the line ends where the number of applications must stand"},
		{"zeroapps.prv", []byte("#Paraver (x):1000:1(2):0" + body),
			":1: broken header: invalid number of applications: 0"},
		{"zerotasks.prv", []byte("#Paraver (x):1000:1(2):1:0()" + body),
			":1: broken header: invalid number of tasks of application 1: 0"},
		{"zerothreads.prv", []byte("#Paraver (x):1000:1(2):1:1(0:1)" + body),
			":1: broken header: invalid number of threads of task 1 of application 1: 0"},
		{"fewtasks.prv", []byte("#Paraver (x):1000:1(2):1:2(1:1)" + body),
			":1: broken header: application 1 announces 2 tasks and lists 1"},
		{"nonode.prv", []byte("#Paraver (x):1000:1(2):1:1(1:3)" + body),
			":1: broken header: task 1 of application 1 is on node 3 of 1"},
		{"unclosed.prv", []byte("#Paraver (x):1000:1(2:1:1(1:1)" + body),
			`:1: broken header: ')' must follow the CPUs of the nodes, not ":1:1(1:1)"`},
		{"fewnodes.prv", []byte("#Paraver (x):1000:2(2):1:1(1:1)" + body),
			":1: broken header: it announces 2 nodes and lists 1"},
		{"trailing.prv", []byte("#Paraver (x):1000:1(2):1:1(1:1)xyz" + body),
			`:1: broken header: unexpected text "xyz" after the last application`},
		{"fewcomms.prv", []byte("#Paraver (x):1000:1(2):1:1(1:1),2\nc:1:1:1:1" + body),
			":3: broken header: it announces 2 communicator lines, but after 1 of them comes another line"},
		{"nobody.prv", []byte(header), ": no record in the trace"},
		{"onlybad.prv", []byte(header + "1:1:1:1:1:0\n"),
			":2: no valid record in the trace; the first is bad: missing field: 1:1:1:1:1:0"},
		{"plain.prv.gz", []byte("hello\n"), ": not a gzip file, although its name ends in .gz"},
		{"magic.prv.gz", []byte("\x1f\x8b"), ": corrupt gzip: unexpected EOF"},
		{"garbage.prv.gz", []byte("\x1f\x8bgarbage, garbage"), ": corrupt gzip: invalid header"},
		{"spoilt.prv.gz", spoilt, ": corrupt gzip: invalid checksum"},
	}
	dir := t.TempDir()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.content != nil {
				write(t, dir, test.name, test.content)
			}
			got := run(t, dir, "info", test.name)
			want := result{"", "pview: " + test.name + test.want + "\n", 1}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
	t.Run("directory", func(t *testing.T) {
		if err := os.Mkdir(filepath.Join(dir, "dir.prv"), 0o755); err != nil {
			t.Fatal(err)
		}
		if got, want := run(t, dir, "info", "dir.prv"),
			(result{"", "pview: dir.prv: is a directory\n", 1}); got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
	t.Run("unreadable", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root may read everything")
		}
		write(t, dir, "secret.prv", []byte(good))
		if err := os.Chmod(filepath.Join(dir, "secret.prv"), 0); err != nil {
			t.Fatal(err)
		}
		if got, want := run(t, dir, "info", "secret.prv"),
			(result{"", "pview: secret.prv: permission denied\n", 1}); got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	})
}

// The sizes in a header are claims: a short file that claims 10^12 of anything is
// refused at once and costs no memory.
func TestAbsurdSizes(t *testing.T) {
	t.Parallel()
	const huge = "1000000000000"
	tests := []struct{ what, header, want string }{
		{"nodes", huge + ":1:1(1:1)", "it claims 1000000000000 nodes, more than the file can speak of"},
		{"CPUs", "1(" + huge + "):1:1(1:1)", "it claims 1000000000000 CPUs, more than the file can speak of"},
		{"applications", "1(2):" + huge + ":1(1:1)", "it announces 1000000000000 applications and lists 1"},
		{"tasks", "1(2):1:" + huge + "(1:1)", "application 1 announces 1000000000000 tasks and lists 1"},
		{"threads", "1(2):1:1(" + huge + ":1)", "it claims 1000000000000 threads, more than the file can speak of"},
	}
	dir := t.TempDir()
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			write(t, dir, "huge.prv", []byte("#Paraver (x):1000:"+test.header+"\n1:1:1:1:1:0:10:1\n"))
			r := runWithin(t, dir, 200, "info", "huge.prv")
			if r.status == 0 {
				t.Fatal("it was accepted")
			}
			if want := "pview: huge.prv:1: broken header: " + test.want + "\n"; r.stdout+r.stderr != want {
				t.Errorf("got  %q\nwant %q", r.stdout+r.stderr, want)
			}
		})
	}
}

// A bad record is skipped, counted by reason, and reported on standard error with file, line and reason; with --strict
// it is an error.
func TestBadRecords(t *testing.T) {
	t.Parallel()
	twoNodes := "#Paraver (01/01/2026 at 10:00):1000_ns:2(1,1):1:2(1:1,1:2)\n"
	tests := []struct{ record, key, reason string }{
		{"7:1:1:1:1:0:10:1", "unknown_kind", "unknown kind of record"},
		{"hello", "unknown_kind", "unknown kind of record"},
		{"1:1:1:1:1:0", "missing_field", "missing field"},
		{"2:1:1:1:1:5:60000001", "missing_field", "missing field"},
		{"3:1:1:1:1:0:1:2:1:2:1:2:3:64", "missing_field", "missing field"},
		{"1:1:1:1:1:0:x:1", "not_a_number", "field is not a number"},
		{"2:1:1:1:1:5:1:1.5", "not_a_number", "field is not a number"},
		{"1:1:1:1:1:0:99999999999999999999:1", "overflow", "number too large"},
		{"2:1:1:1:1:5:4294967296:1", "overflow", "number too large"},
		{"1:1:1:3:1:0:10:1", "unknown_object", "no such ptask, task or thread"},
		{"3:1:1:1:1:0:1:1:1:9:1:2:3:64:0", "unknown_object", "no such ptask, task or thread"},
		{"1:9:1:1:1:0:10:1", "unknown_cpu", "no such CPU"},
		{"1:2:1:1:1:0:10:1", "wrong_node", "CPU of another node"},
		{"1:1:1:1:1:-5:10:1", "negative_time", "negative time"},
	}
	dir := t.TempDir()
	for _, test := range tests {
		t.Run(test.record, func(t *testing.T) {
			write(t, dir, "r.prv", []byte(twoNodes+"1:1:1:1:1:0:10:1\n"+test.record+"\n1:2:1:2:1:0:10:1\n"))
			problem := "pview: r.prv:3: " + test.reason + ": " + test.record

			got := run(t, dir, "info", "--format", "json", "r.prv")
			if want := problem + " (1 bad record skipped)\n"; got.stderr != want || got.status != 0 {
				t.Errorf("status %d, standard error\n     %qwant %q", got.status, got.stderr, want)
			}
			var info struct {
				States  int
				Skipped map[string]int
			}
			if err := json.Unmarshal([]byte(got.stdout), &info); err != nil {
				t.Fatal(err)
			}
			if info.States != 2 || info.Skipped["total"] != 1 || info.Skipped[test.key] != 1 {
				t.Errorf("info tells %+v, want 2 states and 1 record skipped for %s", info, test.key)
			}
			if got, want := run(t, dir, "info", "--strict", "r.prv"), (result{"", problem + "\n", 1}); got != want {
				t.Errorf("strict: got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// A file that ends in the middle of a record or of its gzip stream opens up to
// there, and pview says so.
func TestCutFiles(t *testing.T) {
	t.Parallel()
	whole := compress(manyEvents())
	tests := []struct {
		name    string
		content []byte
		want    string // standard error without --strict, after "pview: "; the line's number is left out
		late    bool   // its events continue after the end in the header
	}{
		{"line.prv", []byte(good + "1:1:1:1:1:10:2"), "line.prv:N: the last line is incomplete", false},
		{"stream.prv.gz", whole[:len(whole)/2], "stream.prv.gz:N: the gzip stream ends early", true},
	}
	dir := t.TempDir()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			write(t, dir, test.name, test.content)
			got := run(t, dir, "info", "--format", "tsv", test.name)
			var line int
			if _, after, ok := strings.Cut(got.stdout, "\ncut\t"); !ok {
				t.Fatalf("info does not tell the cut: %+v", got)
			} else if fmt.Sscan(after, &line); line < 4 {
				t.Errorf("cut at line %d", line)
			}
			want := "pview: " + strings.Replace(test.want, "N", fmt.Sprint(line), 1)
			said := want + "; everything before it was read\n"
			if test.late {
				// Line 2 is the event at 0, line 1003 the first after the header's end at 1000; all up to line N-1 were
				// read.
				said += fmt.Sprintf(
					"pview: %s:1003: record is later than the end in the header (%d in all): states and events "+
						"extend the trace, messages do not\n", test.name, line-1003)
			}
			if got.stderr != said || got.status != 0 {
				t.Errorf("got  %d %q\nwant %q", got.status, got.stderr, said)
			}
			if got, want := run(t, dir, "info", "--strict", test.name), (result{"", want + "\n", 1}); got != want {
				t.Errorf("strict: got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// A command line that cannot be executed gets status 2, one line, and no result.
func TestWrongUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "good.prv", []byte(good))
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"info"}, "info needs TRACE (see pview info --help)"},
		{[]string{"info", "good.prv", "good.prv"}, "info takes no argument \"good.prv\" (see pview info --help)"},
		{[]string{"info", "--nope", "good.prv"}, "unknown flag: --nope (see pview info --help)"},
		{[]string{"info", "--format", "xml", "good.prv"},
			`invalid argument "xml" for "--format" flag: must be one of table, tsv, csv, sheet, json (see pview info --help)`},
		{[]string{"completion", "tcsh"}, `unknown command "tcsh" for "pview completion" (see pview completion --help)`},
		{[]string{"help", "nothing"}, `there is no command "nothing"`},
		{[]string{"inof", "good.prv"}, "inof is neither a file nor a command; did you mean info?"},
		{[]string{"good.prv"},
			"the viewer needs a terminal, and standard output is not one; `pview info TRACE` prints the contents of " +
				"a trace"},
		{nil,
			"the viewer needs a terminal, and standard output is not one; `pview info TRACE` prints the contents of " +
				"a trace"},
	}
	for _, test := range tests {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			if got, want := run(t, dir, test.args...), (result{"", "pview: " + test.want + "\n", 2}); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// A reader that closes our output early is not an error.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "good.prv", []byte(good))
	for _, args := range []string{"info good.prv", "man", "--help", "completion bash"} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "{ "+pview+" "+args+"; echo status $? >&2; } | :")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		if s := string(out); s != "status 0\n" && s != "status 141\n" {
			t.Errorf("pview %s | : says %q", args, s)
		}
	}
}
