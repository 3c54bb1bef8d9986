package waits_test

import (
	"fmt"
	"slices"
	"testing"

	"pview/insight/waits"
	"pview/prv/wide"
)

// Checks 17 to 23.
func TestCollectives(t *testing.T) {
	// 17
	r := check(t, `
		1: A[0,10) Allreduce[10,110)
		2: A[0,40) Allreduce[40,112)
		3: A[0,100) Allreduce[100,115)`,
		"1 [10,100) class 8 by 3", "2 [40,100) class 8 by 3", "3 A 150+0")
	op, done := r.Totals[waits.Operation], r.Totals[waits.NxNCompletion]
	if op.Time != wide.Of(30) || done.Time != wide.Of(7) {
		t.Errorf("operation %+v, completion %+v", op, done)
	}
	// 18
	r = check(t, `
		1: A[0,10) Barrier[10,45)
		2: A[0,30) Barrier[30,60)
		3: A[0,50) Barrier[50,60)`,
		"1 [10,30) class 9 by 2 clock", "2 [30,50) class 9 by 3", "2 A 20+0", "3 A 20+0")
	if len(r.Clocks) != 1 || r.Clocks[0].Operations != 1 || r.Clocks[0].Largest != 5 {
		t.Errorf("clocks %+v", r.Clocks)
	}
	// 19
	check(t, `
		1: A[0,80) Bcast![80,90)
		2: A[0,30) Bcast[30,95)
		3: A[0,85) Bcast[85,100)`,
		"2 [30,80) class 5 by 1", "1 A 50+0")
	// 20
	check(t, `
		1: A[0,10) Reduce![10,100)
		2: A[0,50) Reduce[50,55)
		3: A[0,90) Reduce[90,95)`,
		"1 [10,90) class 6 by 3", "3 A 80+0")
	// 21
	check(t, `
		1: A[0,40) Scan[40,45)
		2: A[0,10) Scan[10,50)
		3: A[0,60) Scan[60,70)
		4: A[0,20) Scan[20,75)`,
		"2 [10,40) class 7 by 1", "4 [20,60) class 7 by 3", "1 A 30+0", "3 A 40+0")
	// 22
	check(t, `
		1: A[0,80) Bcast!0[80,90)
		2: A[0,30) Bcast0[30,95)
		3: A[0,85) Bcast0[85,100)`)
	// 23
	check(t, `
		1: Ibarrier[10,12) A[12,30) Wait[30,95)
		2: Ibarrier[90,92) Wait[92,96)`,
		// 90 against 10, and A 18 of T1: N = 80
		"1 [30,90) class 9 by 2 inferred", "2 code outside of traced functions 60+0")
}

// Check 23, second part. T1 waits for the last of the origins that access its window, T3; T4 has an epoch that ends
// later, without an access to T1. Until 20 T1 has spent 10 in its computation and 8 in A; until 90 T3 has spent 55 in
// A, 29 in its computation, 5 in Put and 1 in Win_start: of N = 47 + 19 + 5 + 1 = 72 A explains floor(70 x 47/72) = 45.
// In the second epoch T2 alone has accesses: T1 waits from 105 to 130.
func TestEarlyWait(t *testing.T) {
	r := analyze(t, parse(t, `
		1: Winpost[10,12) A[12,20) Winwait[20,95) Winpost[100,101) Winwait[105,135)
		2: Winstart[12,13) Put[20,25) Put[26,27) Wincomplete[40,42) Winstart[101,102) Put[103,104) B[104,130) Wincomplete[130,131)
		3: Winstart[12,13) Put[30,35) A[35,90) Wincomplete[90,92)
		4: Winstart[12,13) A[13,94) Wincomplete[94,95)`), waits.Options{})
	var got []string
	for _, w := range r.Of(0) {
		got = append(got, fmt.Sprintf("[%d,%d) %s by %d", w.From, w.To, w.Class, w.Cause+1))
	}
	if want := []string{"[20,90) Early Wait by 3", "[105,130) Early Wait by 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(r.Waits) != 2 {
		t.Errorf("%v", shown(r))
	}
	if !slices.ContainsFunc(r.Delays, func(d waits.Delay) bool {
		return d.Thread == 2 && r.Regions[d.Region].Name == "A" && d.Short == 45
	}) {
		t.Errorf("delays %+v", r.Delays)
	}
}

// An access under a lock is not one that a later Win_complete ends. T1's window has one origin, T2, until 40. T3 has
// put into it under a lock, before an epoch with accesses to T2 that lasts to 50; T4 does so inside an epoch of another
// window, which lasts to 55. T5 had put before a fence.
func TestAccessUnderLock(t *testing.T) {
	got := waitsOf(t, `
		1: A[0,8) Winfence[8,9) Winpost[10,12) A[12,20) Winwait[20,60)
		2: A[0,8) Winfence[8,9) Winstart[12,13) Put[20,25) Wincomplete[40,42)
		3: A[0,8) Winfence[8,9) Winlock[14,15) Put[15,16) Winunlock[17,18) Winstart[30,31) Put![31,32) Wincomplete[50,51)
		4: A[0,8) Winfence[8,9) Winstart[12,13) Winlock[14,15) Put[15,16) Winunlock[17,18) Wincomplete[55,56)
		5: A[0,6) Put[6,7) A[7,8) Winfence[8,9) Winstart[12,13) Put![13,14) Wincomplete[58,59)`)
	if want := []string{"1 [20,40) Early Wait by 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// An epoch that began before the trace ends with the first Win_complete: T1 waits until 45. T3 had a lock on T1's
// window from before the trace to 30, so that T4 waits for it from 20.
func TestEpochBeforeTheTrace(t *testing.T) {
	got := waitsOf(t, `
		1: A[0,20) Winwait[20,60)
		2: Put[5,6) A[6,45) Wincomplete[45,46)
		3: Put[5,6) A[6,30) Winunlock[30,31)
		4: A[0,20) Winlock[20,32) Put[32,33) Winunlock[33,34)`)
	if want := []string{"1 [20,45) Early Wait by 2", "4 [20,30) Lock contention by 3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// waitsOf lists the waits of a script by thread.
func waitsOf(t *testing.T, text string) (list []string) {
	t.Helper()
	for _, w := range analyze(t, parse(t, text), waits.Options{}).Waits {
		list = append(list, fmt.Sprintf("%d [%d,%d) %s by %d", w.Thread+1, w.From, w.To, w.Class, w.Cause+1))
	}
	slices.Sort(list)
	return list
}

// Late Post (3.4): T1 posts at 50 and at 120. T2's Win_start blocks until 50. T3 starts at once; its first Put blocks
// until 50, the second one does not. In the second epoch T2's Win_complete blocks until 120, and T3's calls are short.
// T4 starts without an access: its target cannot be told.
func TestLatePost(t *testing.T) {
	got := waitsOf(t, `
		1: A[0,50) Winpost[50,52) Winwait[80,95) A[95,120) Winpost[120,121) Winwait[139,140)
		2: Winstart[10,53) Put[53,54) Wincomplete[60,61) Winstart[100,101) Put[101,102) Wincomplete[103,125)
		3: Winstart[20,21) Put[30,55) Put[56,57) A[57,85) Wincomplete[85,86) Winstart[121,122) Put[122,123) Wincomplete[124,125)
		4: Winstart[20,90) Wincomplete[90,91)`)
	want := []string{"1 [80,85) Early Wait by 3", "2 [10,50) Late Post by 1", "2 [103,120) Late Post by 1",
		"3 [30,50) Late Post by 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Lock contention (3.4), all on T1's window: T2 has the lock from 11 to 40. T3 asks at 20 and has it from 42 to 60: it
// waits until 40. T4 asks at 30 and has it at 63: it waits until 60, for T3, the last to release it. T5's Win_lock
// returns at once, though the lock is T4's until 80; its Win_unlock waits. T4 asks again at 90, when nobody has it.
func TestLockContention(t *testing.T) {
	got := waitsOf(t, `
		1: A[0,100)
		2: Winlock[10,11) Put[11,12) A[12,40) Winunlock[40,41)
		3: Winlock[20,42) Put[43,44) A[44,60) Winunlock[60,61)
		4: Winlock[30,63) Put[64,65) A[65,80) Winunlock[80,81) Winlock[90,99) Put[99,100) Winunlock[100,101)
		5: A[0,66) Winlock[66,67) Put[67,68) Winunlock[68,83)`)
	want := []string{"3 [20,40) Lock contention by 2", "4 [30,60) Lock contention by 3",
		"5 [68,80) Lock contention by 4"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Checks 24 to 26: constructs of OpenMP.
func TestThreads(t *testing.T) {
	r := check(t, `
		tasks 4 1
		1: Par[0,150) f[0,100) A[150,170) Recv[170,200) Par[200,210)
		2: f[0,130)
		3: f[0,150)
		4: f[0,120)
		5: A[0,190) Send[190,195)
		5>1 190 195 170 200`,
		"1 [100,150) class 15 by 3", "1 [170,190) class 1 by 5", "2 [130,150) class 15 by 3",
		"2 [150,200) class 19 by 1", "3 [150,200) class 19 by 1",
		"4 [120,150) class 15 by 3", "4 [150,200) class 19 by 1",
		"1 A 60+0", "1 Recv 30+0", "3 f 100+0", "5 A 20+60")
	if l := r.Of(0)[1].L; l != 60 {
		t.Errorf("T1's Recv has caused %d", l)
	}
	// 25
	check(t, `
		tasks 3
		1: A[0,9) Lock[9,10) B[10,50) Unlock[50,50)
		2: A[0,20) Lock[20,51) B[51,80) Unlock[80,80)
		3: A[0,30) Lock[30,82) B[82,90) Unlock[90,90)`,
		"2 [20,50) class 17 by 1", "3 [30,50) class 17 by 1", "3 [50,80) class 17 by 2",
		"1 B 50+0", "2 B 29+0", "2 OpenMP unnamed-Lock 1+0")
	// 26
	check(t, `
		tasks 2
		1: Taskwait[50,100) Task[52,70) Task[75,80)
		2: Task[10,98)`,
		"1 [50,52) class 18 by 2", "1 [70,75) class 18 by 2", "1 [80,98) class 18 by 2", "2 task 25+0")
}

// Checks 27 to 33: what makes others wait, and the chain back to it.
func TestDelays(t *testing.T) {
	// 27
	check(t, `
		1: A[0,50) B[50,110) Send[110,111)
		2: A[0,20) B[20,40) C[40,70) Recv[70,112)
		1>2 110 111 70 112`,
		"2 [70,110) class 1 by 1", "1 A 17+0", "1 B 23+0")
	// 28
	check(t, `
		1: A[0,100) Barrier[100,100) A[100,140) Recv[140,170)
		2: A[0,60) Barrier[60,100) A[100,160) Send[160,165)
		2>1 160 165 140 170`,
		"1 [140,160) class 1 by 2", "2 [60,100) class 9 by 1", "1 A 40+0", "2 A 20+0")
	// 29
	chain := `
		1: A[0,100) Send[100,100)
		2: A[0,40) Recv[40,100) B[100,110) Send[110,110)
		3: A[0,30) Recv[30,110)
		1>2 100 100 40 100
		2>3 110 110 30 110`
	r := check(t, chain, "2 [40,100) class 1 by 1", "3 [30,110) class 1 by 2", "1 A 60+60", "2 A 10+0", "2 B 10+0")
	if s1, s2 := r.Waits[0], r.Waits[1]; s1.L != 60 || s1.Spread != 60 || s2.Direct != 20 || s2.Spread != 0 {
		t.Errorf("waits %+v, %+v", s1, s2)
	}
	// 30
	r = check(t, `
		1: A[0,100) Send[100,100)
		2: A[0,40) Recv[40,100) B[100,110) Send[110,110)
		3: A[0,20) C[20,70) Recv[70,110)
		1>2 100 100 40 100
		2>3 110 110 70 110`,
		"2 [40,100) class 1 by 1", "3 [70,110) class 1 by 2", "1 A 60+27", "2 A 8+0", "2 B 5+0")
	if s1 := r.Waits[0]; s1.L != 27 || s1.Spread != 27 {
		t.Errorf("wait %+v", s1)
	}
	// 31
	check(t, `
		1: A[0,100) Send[100,100)
		2: A[0,40) Recv[40,100) B[100,130) Send[130,130)
		3: A[0,40) B[40,100) Recv[100,130)
		1>2 100 100 40 100
		2>3 130 130 100 130`,
		"2 [40,100) class 1 by 1", "3 [100,130) class 1 by 2", "1 A 60+30")
	// 32
	r = check(t, `
		1: A[0,100) Send[100,100) Finalize[100,130)
		2: A[0,40) Recv[40,100) B[100,110) Send[110,110) Finalize[110,130)
		3: A[0,30) Recv[30,110) C[110,130) Finalize[130,130)
		1>2 100 100 40 100
		2>3 110 110 30 110`,
		"1 [100,130) class 10 by 3", "2 [40,100) class 1 by 1", "2 [110,130) class 10 by 3", "3 [30,110) class 1 by 2",
		"1 A 60+78", "2 A 10+3", "2 B 10+3", "3 C 26+0")
	if s1, s2, s3 := r.Waits[1], r.Waits[3], r.Waits[0]; s1.L != 78 || s2.L != 24 || s3.Direct != 6 {
		t.Errorf("waits %+v, %+v, %+v", s1, s2, s3)
	}
	// 33
	r = check(t, `
		1: A[0,90) Send[90,92) Allreduce[92,160)
		2: A[0,30) Recv[30,95) A[95,100) Send[100,102) Allreduce[102,160)
		3: A[0,50) Recv[50,105) B[105,150) Allreduce[150,160)
		4: A[0,70) B[70,120) Allreduce[120,160)
		1>2 90 92 30 95
		2>3 100 102 50 105`,
		"1 [92,150) class 8 by 3", "2 [30,90) class 1 by 1", "2 [102,150) class 8 by 3", "3 [50,100) class 1 by 2",
		"4 [120,150) class 8 by 3",
		"1 A 60+100", "2 Recv 3+4", "3 B 69+0", "3 Recv 10+0")
	if l := [2]int64{r.Waits[3].L, r.Waits[1].L}; l != [2]int64{57, 100} {
		t.Errorf("costs of the receives %v", l)
	}
	if from := r.Interval(2); from != 100 {
		t.Errorf("the last interval of T2 begins at %d", from)
	}
}
