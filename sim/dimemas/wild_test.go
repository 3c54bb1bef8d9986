package dimemas_test

// Dimemas's predictions for real traces, from the .prv: the second kit. It stands beside the repository.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pview/prv"
	"pview/prv/prvtest"
	"pview/sim"
	"pview/sim/dimemas"
)

// wildProgram is the program of a real trace, as prv2dim makes it.
func wildProgram(t *testing.T, name string) *sim.Program {
	t.Helper()
	dir := name
	if len(name) > 5 && name[:5] == "epoch" {
		dir = "epoch"
	}
	tr, err := prv.Open(context.Background(), tracePath(t, prvtest.Shared(t, "traces", dir), name), prv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := dimemas.FromTrace(context.Background(), tr, dimemas.TranslateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p.Program
}

// TestMessageNumbers: messages are numbered as prv2dim numbers them, by the lines of the file.
func TestMessageNumbers(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "dimemas2", "message-ids")
	for _, row := range readTSV(t, filepath.Join(dir, "ids.tsv")) {
		t.Run(row["trace"], func(t *testing.T) {
			ids, sum := sentNumbers(wildProgram(t, row["trace"])), int64(0)
			for _, id := range ids {
				sum += id
			}
			want := fmt.Sprintf("%s [%s] %s", row["messages"], row["first_ids"], row["sum_of_ids"])
			if got := fmt.Sprint(len(ids), ids[:min(6, len(ids))], sum); got != want {
				t.Errorf("%s, not %s", got, want)
			}
		})
	}
	want, err := os.ReadFile(filepath.Join(dir, "out.dim"))
	if err != nil {
		t.Fatal(err)
	}
	compareText(t, translated(t, filepath.Join(dir, "in.prv"), "out.dim", dimemas.TranslateOptions{}), string(want))
}

// sentNumbers are the numbers of the messages that a program sends, ascending.
func sentNumbers(p *sim.Program) (ids []int64) {
	for i := range p.Threads {
		th := &p.Threads[i]
		for row, k := range th.Kind {
			if k.IsSend() {
				ids = append(ids, th.Messages[th.Arg[row]].Match)
			}
		}
	}
	slices.Sort(ids)
	return ids
}
