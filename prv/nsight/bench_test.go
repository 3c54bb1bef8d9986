package nsight

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pview/prv"
	"pview/prv/nsight/sqlite"
)

// bigExport writes an export of two processes with as many columns and rows as real ones: steps of 15 kernels with
// their launches, 5 copies and 70 ranges.
func bigExport(t testing.TB, steps int) (path string, size int64) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "big.sqlite")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	do := func(statement string, values ...any) {
		t.Helper()
		if _, err := db.Exec(statement, values...); err != nil {
			t.Fatal(statement, err)
		}
	}
	work := "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, " +
		"correlationId INTEGER, globalPid INTEGER, "
	do("pragma journal_mode = off")
	do("create table StringIds (id INTEGER PRIMARY KEY, value TEXT)")
	do("create table CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, " +
		"correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER)")
	do("create table CUPTI_ACTIVITY_KIND_KERNEL (" + work + "demangledName INTEGER, shortName INTEGER, " +
		"registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, " +
		"blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER)")
	do("create table CUPTI_ACTIVITY_KIND_MEMCPY (" + work + "bytes INTEGER, copyKind INTEGER)")
	do("create table NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, " +
		"color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER)")
	for i := range 60 {
		do("insert into StringIds values (?, ?)", i, fmt.Sprintf("name_%d<float, %d>", i, i))
	}
	do("insert into StringIds values (100, 'cudaLaunchKernel_v7000'), (101, 'cudaMemcpyAsync_v3020')")
	do("begin")
	r := rand.New(rand.NewPCG(1, 1))
	now, correlation := int64(60e9), 0
	for step := range steps {
		process := (step%2 + 145) << 24
		thread := process + 145
		operation := func(name int, table string, values ...any) {
			now += 2000 + r.Int64N(5000)
			correlation++
			do("insert into CUPTI_ACTIVITY_KIND_RUNTIME values (?, ?, 0, ?, ?, ?, 0, NULL)", now, now+1500, thread,
				correlation, name)
			marks := strings.Repeat(", ?", len(values))
			do("insert into "+table+" values (?, ?, 0, 1, 7, ?, ?"+marks+")",
				append([]any{now + 5000, now + 6500, correlation, process}, values...)...)
		}
		for i := range 70 {
			do("insert into NVTX_EVENTS values (?, ?, 59, NULL, NULL, NULL, ?, ?, NULL, NULL, 0)", now+int64(i),
				now+400_000-int64(i), fmt.Sprintf("aten::operation_%d, op_id = %d", i, 990000+step*70+i), thread)
		}
		for i := range 15 {
			operation(100, "CUPTI_ACTIVITY_KIND_KERNEL", i, i+20, 18, 93600, 1, 1, 128, 1, 1, 0, 1024)
		}
		for range 5 {
			operation(101, "CUPTI_ACTIVITY_KIND_MEMCPY", r.IntN(1<<20), 8)
		}
		now += 400_000
	}
	do("commit")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, info.Size()
}

// timed times a loop and reports bytes per second, also of processor time, which depends less on the load.
func timed(b *testing.B, size int64, loop func()) {
	used := func() time.Duration {
		var r syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &r)
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	b.SetBytes(size)
	b.ReportAllocs()
	before := used()
	for b.Loop() {
		loop()
	}
	b.ReportMetric(float64(size)/1e6*float64(b.N)/(used()-before).Seconds(), "MB/cpu-s")
}

// An export's tables: as bare pages, as columns of processes, and as a trace.
func BenchmarkScan(b *testing.B) {
	path, size := bigExport(b, 1000)
	timed(b, size, func() {
		db, err := sqlite.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer db.Close()
		r := newReport(db, path, false, newKinds())
		for _, t := range r.tables() {
			if err := r.each(t.name, t.columns, func([]value) bool { return true }); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	path, size := bigExport(b, 1000)
	timed(b, size, func() {
		if _, err := open(context.Background(), path, false, newKinds(), prv.Watcher{}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	path, size := bigExport(b, 1000)
	timed(b, size, func() {
		if _, err := Open(context.Background(), path, false, prv.Watcher{}); err != nil {
			b.Fatal(err)
		}
	})
}

// The rows of large tables are estimated before they are read; the estimate does not change the trace.
func TestLargeTables(t *testing.T) {
	const steps = 200 // 14,000 ranges
	path, _ := bigExport(t, steps)
	tr := openTrace(t, path)
	ranges := 0
	for i := range tr.Threads {
		ranges += len(pieces(tr, i, func(typ uint32) bool { return typ == typeNVTX }))
	}
	if ranges != 70*steps {
		t.Errorf("%d ranges", ranges)
	}
	if c := tr.Comms.Len(); c != 20*steps {
		t.Errorf("%d launches", c)
	}
	if len(tr.Threads) != 4 {
		t.Errorf("%d threads", len(tr.Threads))
	}
}
