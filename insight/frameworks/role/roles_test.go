package role

import (
	"context"
	"strings"
	"testing"

	"pview/prv"
)

func TestRolesFile(t *testing.T) {
	tr, err := prv.Read(context.Background(), strings.NewReader("#Paraver (01/01/2020 at 00:00):100_ns:1(5):1:"+
		"5(1:1,1:1,1:1,1:1,1:1)\n1:1:1:1:1:0:100:1\n"), prv.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) (*Roles, error) { return read("roles.txt", strings.NewReader(text), tr) }
	r, err := read("# the farm\nkind master-worker\nmaster 1\nworkers 2-4,5\nm0 0.02\nprotocol sync\n" +
		"iteration event 70=1\n")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := Write(&b, r, tr); err != nil {
		t.Fatal(err)
	}
	const want = "ptask 1\nkind master-worker\nmaster 1\nworkers 2-5\niteration event 70=1\nm0 0.02\nprotocol sync\n"
	if b.String() != want {
		t.Errorf("written %q, want %q", b.String(), want)
	}
	for text, want := range map[string]string{
		"master 1\nworkers 2-9\n": "roles.txt:2: there is no task 2-9: ptask 1 has 5 (workers LIST)",
		"master 1\nworkers 1-3\n": "roles.txt:2: task 1 has two roles (workers LIST)",
		"boss 1\n": "roles.txt:1: \"boss\" is no statement; there are: ptask, kind, master, " +
			"workers, stage, iteration, compute, tasks, prefetch, m0, lambda, protocol",
		"master 1\n": "roles.txt: a master-worker program needs the statements master and workers",
		"stage 1\n":  "roles.txt: a pipeline needs at least two stages",
		"":           "roles.txt: it names neither a master and its workers nor stages",
		"stage cm=2 replicas=x\n": "roles.txt:1: \"x\" is no task and no range of tasks (stage TASK, or stage " +
			"cm=TASK replicas=LIST)",
		"m0 -1\n":             "roles.txt:1: \"-1\" must be a number of ms >= 0 (m0 MS)",
		"ptask 2\n":           "roles.txt:1: there is no ptask 2: the trace has 1 (ptask N)",
		"compute event 5=x\n": "roles.txt:1: \"x\" is no event value (compute event TYPE[=VALUE])",
	} {
		if _, err := read(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
