package prv

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pview/prv/prvtest"
	"pview/prv/store"
)

// ordinalTrace has communications before, between and after event lines of one instant. The lines of kinds 2 and 3 are
// numbered: the two communications at 5 are 1 and 4, the one at 9 is 7. The line of kind 3 that names no thread and the
// event line without a value are skipped and do not count.
const ordinalTrace = `#Paraver (01/01/26 at 00:00):30:1(2):1:2(1:1,1:1)
1:1:1:1:1:0:30:1
3:1:1:1:1:5:5:2:1:2:1:5:7:128:9
2:1:1:1:1:5:50000001:1:8:8:9:9
2:2:1:2:1:5:50000001:2
3:1:1:1:1:5:5:2:1:2:1:5:7:128:9
1:2:1:2:1:5:30:1
# 2:not a record
2:1:1:1:1:6:50000001:0
3:1:1:1:1:6:6:2:1:7:1:6:7:128:9
2:2:1:2:1:7:50000001
2:1:1:1:1:9:50000001:1
3:1:1:1:1:9:9:2:1:2:1:9:12:256:9
2:2:1:2:1:9:50000001:2
`

var ordinals = []int64{1, 4, 7}

// Communications are numbered by their lines, however the trace is read: in chunks, from the index, while it grows; and
// a written trace keeps their places.
func TestOrdinals(t *testing.T) {
	prvtest.Cache(t)
	check := func(how string, tr *Trace, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		if got := tr.Comms.Ordinals(); !slices.Equal(got, ordinals) {
			t.Errorf("%s: %v, not %v", how, got, ordinals)
		}
	}
	for _, chunk := range []int{1, 64, 1 << 20} {
		check(fmt.Sprintf("chunks of %d", chunk), readText(t, ordinalTrace, store.Options{Chunk: chunk, Workers: 2}),
			nil)
	}
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "run.prv")
	prvtest.Write(t, path, ordinalTrace)
	o := &Opener{Least: 1}
	for _, how := range []string{"while the index is made", "from the index"} {
		tr, err := o.Open(ctx, path, store.Watcher{})
		check(how, tr, err)
		o.Wait(ctx)
	}
	f, err := Follow(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	grown, err := f.Read(ctx, nil)
	check("followed", grown.Trace, err)

	var out bytes.Buffer
	if err := Write(ctx, &out, grown.Trace); err != nil {
		t.Fatal(err)
	}
	check("written and read", readText(t, out.String(), store.Options{}), nil)
}

// After 2^32 event lines the column keeps the last 32 bits; numbering continues.
func TestOrdinalsBeyond32Bits(t *testing.T) {
	c := Comms{Send: make([]int32, 4), EventLines: []uint32{7, 1<<32 - 1, 3, 3}}
	if got, want := c.Ordinals(), []int64{8, 1<<32 + 1, 1<<32 + 6, 1<<32 + 7}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

// A trace made in memory has no numbers.
func TestNoOrdinalsInMemory(t *testing.T) {
	tr := readText(t, ordinalTrace, store.Options{})
	b := store.NewBuilder(Header{Resources: tr.Resources})
	b.Comm(Comm{Recv: 1})
	made, err := b.Build()
	if err != nil || made.Comms.Ordinals() != nil {
		t.Errorf("%v %v", made.Comms.Ordinals(), err)
	}
}
