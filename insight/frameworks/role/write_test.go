package role

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Roles are written as they are read, tasks from 1 in their application.
func TestRolesAreWrittenAsRead(t *testing.T) {
	tr := sent(t, 1, 6, nil)
	path := filepath.Join(t.TempDir(), "roles.txt")
	for text, want := range map[string]string{
		"ptask 2\nstage 1 # reads\nstage cm=2 replicas=3-4\nstage cm=5\nstage 6\ncompute event 7\ntasks event 8=2\n" +
			"prefetch 3\nlambda 1e-5\nprotocol async\n": "ptask 2\nkind pipeline\nstage 1\nstage cm=2 replicas=3-4\n" +
			"stage 5\nstage 6\ncompute event 7\ntasks event 8=2\nprefetch 3\nlambda 1e-05\nprotocol async\n",
		"ptask 2\nmaster 2\nworkers 1\nworkers 3-4,6\nprefetch 0\n": "ptask 2\nkind master-worker\nmaster 2\n" +
			"workers 1,3-4,6\n",
		"ptask 2\nkind pipeline\nstage 6\nstage 1\n": "ptask 2\nkind pipeline\nstage 6\nstage 1\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path, tr)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := Write(&b, r, tr); err != nil || b.String() != want || !r.Told || r.Ptask != 1 {
			t.Errorf("%s written as %s, %v", text, b.String(), err)
		}
		if n := len(r.Members()); n != r.tasks() {
			t.Errorf("%s has %d members of %d tasks", text, n, r.tasks())
		}
	}
	r := Roles{Kind: NestedOf, Ptask: 1, Master: 1, Workers: []int32{2, 4}, Inner: [][]int32{{2, 3}, {4, 5, 6}}}
	if n := len(r.Members()); n != 6 || r.tasks() != 6 || strings.Join(r.Describe(tr), "; ") !=
		"master 1; pipeline 1: tasks 2-3; pipeline 2: tasks 4-6" {
		t.Errorf("%d members of %d tasks, %v", n, r.tasks(), r.Describe(tr))
	}
}

// What a roles file must not say.
func TestWrongRoles(t *testing.T) {
	tr := sent(t, 1, 6, nil)
	const stage = "(stage TASK, or stage cm=TASK replicas=LIST)"
	for text, want := range map[string]string{
		"master 1\nptask 2\n":         "x:2: ptask must stand before the tasks (ptask N)",
		"ptask 0\n":                   "x:1: there is no ptask 0: the trace has 2 (ptask N)",
		"ptask 3\n":                   "x:1: there is no ptask 3: the trace has 2 (ptask N)",
		"ptask 1 2\n":                 "x:1: one word is needed, not 2 (ptask N)",
		"kind farm\n":                 `x:1: "farm" is no kind (kind master-worker|pipeline)`,
		"ptask 2\nmaster 1,2\n":       "x:2: there is one master (master TASK)",
		"ptask 2\nmaster 2-1\n":       `x:2: "2-1" is no task and no range of tasks (master TASK)`,
		"ptask 2\nmaster 0\n":         "x:2: there is no task 0: ptask 2 has 6 (master TASK)",
		"ptask 2\nmaster 7\n":         "x:2: there is no task 7: ptask 2 has 6 (master TASK)",
		"stage\n":                     "x:1: the stage has no task " + stage,
		"ptask 2\nstage of=1\n":       `x:2: "of=1" is neither a task, cm=TASK nor replicas=LIST ` + stage,
		"ptask 2\nstage 1-2\n":        `x:2: "1-2" is neither a task, cm=TASK nor replicas=LIST ` + stage,
		"prefetch -1\n":               `x:1: "-1" must be a number of chunks >= 0 (prefetch N)`,
		"prefetch 1048577\n":          `x:1: "1048577" must be a number of chunks >= 0 (prefetch N)`,
		"protocol fast\n":             `x:1: "fast" is no protocol (protocol async|sync)`,
		"protocol\n":                  "x:1: one word is needed, not 0 (protocol async|sync)",
		"iteration event\n":           "x:1: the words event TYPE are needed (iteration event TYPE[=VALUE])",
		"iteration events 1\n":        "x:1: the words event TYPE are needed (iteration event TYPE[=VALUE])",
		"tasks event x\n":             `x:1: "x" is no event type (tasks event TYPE[=VALUE])`,
		"m0 1e12\n":                   `x:1: "1e12" must be a number of ms >= 0 (m0 MS)`,
		"kind master-worker\nm0 1\n":  "x: a master-worker program needs the statements master and workers",
		"ptask 2\nworkers 1\nm0 1\n":  "x: it names neither a master and its workers nor stages",
		"kind pipeline\nprefetch 1\n": "x: a pipeline needs at least two stages",
	} {
		if _, err := read("x", strings.NewReader(text), tr); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// An event matches its type and value, or any value but 0.
func TestEventMatch(t *testing.T) {
	for _, c := range []struct {
		text  string
		typ   uint32
		value int64
		want  bool
	}{{"7", 7, 1, true}, {"7", 7, 0, false}, {"7", 8, 1, false}, {"7=2", 7, 2, true}, {"7=2", 7, 1, false},
		{"7=0", 7, 0, true}, {"7=-1", 7, -1, true}, {"7=2", 8, 2, false}} {
		if e, err := ParseEvent(c.text); err != nil || e.Has(c.typ, c.value) != c.want {
			t.Errorf("%s matches %d of type %d: %v, %v", c.text, c.value, c.typ, !c.want, err)
		}
	}
}
