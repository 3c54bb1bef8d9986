//go:build unix

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pview/prv/otf2/otf2test"
	"pview/prv/prvtest"
)

// Lines of info that differ for a converted trace: its path, the notes of the original's reader, and the doubts, which
// only a .prv has.
var ownLines = regexp.MustCompile(`(?m)^(path|notes|doubts\.\w+)\t.*\n`)

// A trace of another tool, converted to .prv, gives the same numbers as the original.
func TestConvertedNeighbours(t *testing.T) {
	kits := map[string][]string{
		"kineto":    {filepath.Join(prvtest.Root(), "testdata", "traces", "ranks_2")},
		"nsight":    {filepath.Join(prvtest.Root(), "prv", "nsight", "testdata", "n05-nvtx.sqlite")},
		"otf2":      {exchange().Write(t, t.TempDir())},
		"straggler": shared("kineto", "cases", "c02-straggler"), "training": shared("nsight", "data", "mfu*.sqlite"),
		"reports": shared("nsight", "cases", "n01-host*.sqlite"),
	}
	for name, paths := range kits {
		t.Run(name, func(t *testing.T) {
			if len(paths) == 0 || name == "training" && testing.Short() {
				t.Skip("no kit, or a large one")
			}
			dir := t.TempDir()
			convert := append(append([]string{"convert", "--no-index"}, paths...), "run.prv")
			if r := run(t, dir, convert...); r.status != 0 {
				t.Fatal(r)
			}
			for _, command := range []string{"info", "stat", "devices", "diagnose", "diagnose --waits", "efficiency"} {
				of := func(paths ...string) result {
					r := run(t, dir, append(strings.Fields(command+" --no-index --format tsv"), paths...)...)
					r.stdout, r.stderr = ownLines.ReplaceAllString(r.stdout, ""), ""
					return r
				}
				original, converted := of(paths...), of("run.prv")
				if original.status == 2 || original != converted {
					t.Errorf("%s: status %d\n%s\nof the converted trace: status %d\n%s", command, original.status,
						original.stdout, converted.status, converted.stdout)
				}
			}
		})
	}
}

// shared returns files of the kits, none without the kits.
func shared(path ...string) []string {
	list, _ := filepath.Glob(filepath.Join(append([]string{prvtest.SharedDir(), "oracle"}, path...)...))
	return list
}

// exchange returns an archive of two ranks: ten times rank 0 computes for 20 to 29 ticks and sends, while rank 1 waits.
func exchange() *otf2test.Archive {
	const enter, leave, send, receive = 12, 13, 14, 18
	a := otf2test.New(false)
	names := a.MPI(2, 1, 1_000_000_000, "main", "MPI_Send", "MPI_Recv")
	for id, name := range []string{"main", "MPI_Send", "MPI_Recv"} {
		a.Region(id, names[name], 1, map[bool]uint8{true: 2, false: 4}[id == 0])
	}
	for rank := range 2 {
		a.At(uint64(rank)).Bare(2, enter, 0)
	}
	for i := range uint64(10) {
		at := 100*i + 20 + i
		s, r := a.At(0), a.At(1)
		s.Bare(at, enter, 1)
		s.Event(at+1, send, 1, 0, 7, uint64(4096))
		s.Bare(at+3, leave, 1)
		r.Bare(100*i+5, enter, 2)
		r.Event(at+8, receive, 0, 0, 7, uint64(4096))
		r.Bare(at+9, leave, 2)
	}
	for rank := range 2 {
		a.At(uint64(rank)).Bare(1100, leave, 0)
	}
	return a
}
