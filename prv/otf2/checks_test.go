package otf2

// The numbered checks of the specification, on the archives of the kit.

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/otf2/otf2test"
	"pview/prv/prvtest"
)

func TestChecks(t *testing.T) {
	prvtest.Checks(t, 7, []prvtest.Check{
		{Number: 1, Tests: "prv/otf2.TestFacts prv/otf2.TestTraceFacts"},
		{Number: 2, Tests: "prv/otf2.TestSameTrace"},
		{Number: 3, Tests: "prv/otf2.TestFuture"},
		{Number: 4, Tests: "prv/otf2.TestOldAndOdd"},
		{Number: 5, Tests: "prv/otf2.TestDamaged"},
		{Number: 6, Tests: "prv/otf2.FuzzOpen", Why: "bounds all that is allocated, not what is held at a time"},
		{Number: 7, Tests: "prv/otf2.TestPrograms"},
	})
}

// kitTrace opens an archive of the kit.
func kitTrace(t testing.TB, name string) *prv.Trace {
	t.Helper()
	dir := prvtest.Shared(t, "oracle", "otf2", "archives", name)
	tr, err := Open(context.Background(), otf2test.Unpack(t, filepath.Join(dir, name+".tar.gz")), false, prv.Watcher{})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// byName renumbers communicators like those of the same names in another trace: the numbers follow the order of
// definition.
func byName(t *prv.Trace, like *prv.Trace) {
	own, _ := t.Labels.Type(extrae.CollectiveComm)
	other, _ := like.Labels.Type(extrae.CollectiveComm)
	to, used := map[int64]int64{}, map[int64]bool{}
	for _, v := range own.Values {
		for _, o := range other.Values {
			if o.Label == v.Label && !used[o.Value] {
				to[v.Value], used[o.Value] = o.Value, true
				break
			}
		}
	}
	for i := range t.Threads {
		e := &t.Threads[i].Events
		for k, typ := range e.Type {
			if typ == extrae.CollectiveComm {
				e.Value.Small[k] = uint32(to[e.Value.At(k)])
			}
		}
	}
}

// Check 2: byte order, ids and the order of definitions make no difference.
func TestSameTrace(t *testing.T) {
	want := kitTrace(t, "rich")
	for _, name := range []string{"bigendian", "mixed", "sparse", "backwards"} {
		got := kitTrace(t, name)
		if name == "backwards" {
			byName(got, want)
			got.Communicators = want.Communicators
		}
		got.Path, got.Names, got.Labels, got.Notes = want.Path, want.Names, want.Labels, want.Notes
		if err := prv.Equal(want, got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Check 3: unknown records are skipped by their length, and counted.
func TestFuture(t *testing.T) {
	tr := kitTrace(t, "future")
	if len(tr.Notes) != 1 || !strings.Contains(tr.Notes[0].Text, "80 events of an unknown kind") {
		t.Errorf("notes %v", tr.Notes)
	}
	if n := tr.Comms.Len(); n != 10 {
		t.Errorf("%d messages, want 10", n)
	}
}

// Check 4: old types, and rare but legal records.
func TestOldAndOdd(t *testing.T) {
	for name, types := range map[string][]uint32{
		"old":    {extrae.MPIPointToPoint, extrae.MPICollective, extrae.CollectiveComm},
		"oldomp": {extrae.OpenMPParallel, extrae.OpenMPBarrier, extrae.OpenMPLock, extrae.OpenMPExecute},
	} {
		has := typesOf(kitTrace(t, name))
		for _, typ := range types {
			if !has[typ] {
				t.Errorf("%s has no events of type %d", name, typ)
			}
		}
	}
	for name, want := range map[string]string{"odd": "1 end of messages of unknown communicators: left out",
		"manydefs": "6 sends without a receive in this trace"} {
		if tr := kitTrace(t, name); len(tr.Notes) != 1 || tr.Notes[0].Text != want || tr.Cut != nil {
			t.Errorf("%s: notes %v, cut %v, want %q", name, tr.Notes, tr.Cut, want)
		}
	}
}

// said has the note or error on each damaged archive; "" if it has no fault.
var said = map[string]string{
	"cut_in_record":   "1.evt ends at offset 5038, in the middle of a record: record 31 at offset 5033: 22 bytes, 3 left",
	"cut_between":     "1.evt ends at offset 4903 without its end mark",
	"cut_end_mark":    "1.evt ends at offset 8784 without its end mark",
	"events_missing":  "2.evt: is missing: no events of location 2 (Master thread)",
	"events_empty":    "2.evt no chunk at offset 0: the file is empty",
	"mapping_missing": "3.def: is missing: ids and times of location 3 (Master thread) are taken as they are",
	"names_cut":       "traces.def: ends at offset 1049, in the middle of a record: record 15 at offset 1046",
	"names_missing":   "traces.def is missing: no names, no locations",
	"anchor_cut":      "ends after 20 bytes: incomplete anchor",
	"anchor_wrong":    "not an OTF2 anchor file",
	"sion":            "is stored in SION containers: not supported",
	"zlib":            "is stored with zlib: not supported",
	"chunk_size":      "chunk size 0",
	"long_record":     "0.evt: bad record 14 at offset 262005: 250 bytes, 137 left",
	"bad_number":      "0.evt: bad record 12 at offset 26525: length byte 9 of a number of 32 bits at offset 26526",
	"second_chunk":    "0.evt: no chunk at offset 262144",
	"cut_second":      "1.evt ends at offset 362145 without its end mark",
	"byte_order":      "0.evt: no chunk at offset 0: byte order 0x24",
	"zeros":           "0.evt ends at offset 8774 without its end mark",
	"unknown_region":  "1 region that no definition names",
	"time_back":       "1 time that goes back within a location",
	"huge_group":      "traces.def: bad record 18 at offset 490: an array of",
	"promises":        "",
	"not_utf8":        "",
}

// Check 5: of a damaged archive, the records before a fault and the chunks after it are kept.
func TestDamaged(t *testing.T) {
	dir := prvtest.Shared(t, "oracle", "otf2", "damaged")
	table, err := os.ReadFile(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		words, ok := said[f[0]]
		if !ok {
			continue
		}
		seen++
		path := otf2test.Unpack(t, filepath.Join(dir, f[0]+".tar.gz"))
		tr, err := Open(context.Background(), path, false, prv.Watcher{})
		if strings.HasPrefix(f[2], "error") {
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: error %v, want %q", f[0], err, words)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", f[0], err)
			continue
		}
		text := ""
		for _, n := range tr.Notes {
			text += n.String() + "\n"
		}
		if tr.Cut != nil {
			text += tr.Cut.Why
		}
		if !strings.Contains(text, words) {
			t.Errorf("%s says\n%s, want %q", f[0], text, words)
		}
		a, _ := prepared(t, path)
		if len(a.locs) != int(number(t, f[5])) {
			t.Errorf("%s: %d locations, want %s", f[0], len(a.locs), f[5])
		}
		for _, kept := range strings.Fields(f[4]) {
			id, n, _ := strings.Cut(kept, "=")
			key, _ := strconv.ParseUint(id, 10, 64)
			if got := a.locs[a.byID.find(key)].events(); got != number(t, n) {
				t.Errorf("%s: %d events of location %s, want %s", f[0], got, id, n)
			}
		}
		_, err = Open(context.Background(), path, true, prv.Watcher{})
		fault := f[3] != "" // damage of the bytes is an error if strict
		if fault != (err != nil) {
			t.Errorf("%s: strictly, the error is %v", f[0], err)
		}
	}
	if seen != len(said) {
		t.Errorf("%d damaged archives of %d", seen, len(said))
	}
}

// Check 7: the programs send a known number of messages.
func TestPrograms(t *testing.T) {
	for name, want := range map[string][2]int64{"eztrace_ring": {400, 89457280}, "eztrace_farm": {244, 88224},
		"recorded_farm": {244, 88224}, "recorded_halo": {800, 1513600}, "recorded_wide": {600, 8400}} {
		tr := kitTrace(t, name)
		bytes := int64(0)
		for _, n := range tr.Comms.Size {
			bytes += n
		}
		if got := [2]int64{int64(tr.Comms.Len()), bytes}; got != want {
			t.Errorf("%s: %v messages and bytes, want %v", name, got, want)
		}
	}
}

// Every trace of the kit is the same after it has been written as a .prv and read again, and its states have no gaps.
func TestWrittenAndRead(t *testing.T) {
	for _, path := range kit(t) {
		name := filepath.Base(filepath.Dir(path))
		tr := kitTrace(t, name)
		for i := range tr.Threads {
			s := &tr.Threads[i].States
			for k := 1; k < s.Len(); k++ {
				if s.Begin[k] != s.End[k-1] {
					t.Errorf("%s: thread %d: a state ends at %d, the next begins at %d", name, i, s.End[k-1], s.Begin[k])
					break
				}
			}
		}
		out := filepath.Join(t.TempDir(), "out.prv")
		if err := prv.Save(context.Background(), out, tr); err != nil {
			t.Fatal(err)
		}
		again, err := prv.Open(context.Background(), out, prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(again.Notes) > 0 || again.Skipped.Total() > 0 {
			t.Errorf("%s: notes %v, skipped %v", name, again.Notes, again.Skipped)
		}
		if again.Duration != tr.Duration || again.Comms.Len() != tr.Comms.Len() {
			t.Errorf("%s: %d of %d, %d messages of %d", name, again.Duration, tr.Duration, again.Comms.Len(), tr.Comms.Len())
		}
		for i := range tr.Threads {
			a, b := &tr.Threads[i], &again.Threads[i]
			same := a.States.Len() == b.States.Len() && a.Events.Len() == b.Events.Len() && a.CPU == b.CPU
			for k := 0; same && k < a.Events.Len(); k++ {
				same = a.Events.Time[k] == b.Events.Time[k] && a.Events.Type[k] == b.Events.Type[k] &&
					a.Events.Value.At(k) == b.Events.Value.At(k)
			}
			for k := 0; same && k < a.States.Len(); k++ {
				same = a.States.Begin[k] == b.States.Begin[k] && a.States.Value[k] == b.States.Value[k]
			}
			if !same {
				t.Errorf("%s: thread %d differs", name, i)
			}
		}
	}
}
