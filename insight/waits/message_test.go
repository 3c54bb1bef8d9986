package waits_test

import (
	"testing"

	"pview/insight/waits"
)

// Checks 1 to 7: who came late, sender or receiver, and messages in the wrong order.
func TestLateSenderAndReceiver(t *testing.T) {
	r := check(t, `
		1: A[0,20) Recv[20,100)
		2: A[0,70) Send[70,90)
		2>1 70 90 20 100`,
		"1 [20,70) class 1 by 2", "2 A 50+0")
	if op := r.Totals[waits.Operation].Time.Int64(); op != 30+20 { // of Recv, and all of Send
		t.Errorf("operation %d", op)
	}
	// The message was there already.
	r = check(t, `
		1: A[0,60) Recv[60,75)
		2: A[0,10) Send[10,20)
		2>1 10 20 60 75`)
	if op := r.Totals[waits.Operation].Time.Int64(); op != 15+10 {
		t.Errorf("operation %d", op)
	}
	check(t, `
		1: A[0,20) Ssend[20,100)
		2: A[0,80) Recv[80,110)
		1>2 20 100 80 110`,
		"1 [20,80) class 4 by 2", "2 A 60+0")
}

// Check 4: the largest send that returned before its receive was posted proves the eager limit.
func TestEagerLimit(t *testing.T) {
	tr := parse(t, `
		1: Send[0,5) A[5,100) Send[100,112) A[112,200) Send[200,290) A[290,300) Send[300,304)
		2: A[0,40) Recv[40,50) A[50,105) Recv[105,115) A[115,260) Recv[260,295) A[295,302) Recv[302,306)
		1>2 0 5 40 50 size 1024
		1>2 100 112 105 115 size 512
		1>2 200 290 260 295 size 65536
		1>2 300 304 302 306 size 1024`)
	r := analyze(t, tr, waits.Options{})
	if e := r.Eager[waits.SameNode]; e.Size != 1024 || !e.Proved {
		t.Errorf("eager limit %+v", e)
	}
	if w := r.Of(0); len(w) != 1 || w[0].Length() != 60 || w[0].Class != waits.LateReceiver {
		t.Errorf("waits %+v", w)
	}
	// Without a limit the second and the fourth send may have waited for their receivers, 5 and 2.
	if w := analyze(t, tr, limit(-1)).Of(0); len(w) != 3 || w[0].Length() != 5 || w[2].Length() != 2 {
		t.Errorf("waits %+v", w)
	}
}

// A receiver that has posted its receive takes a message in rendezvous when it is in MPI again.
func TestLateProgress(t *testing.T) {
	// Posted at 10, announced at 22; T2 computes from 12 to 80: T1 waits [40,80) = 40. From 0 on T2 spends 78 in A and
	// 2 in Irecv, T1 20 in A: D(A) = 58, D(Irecv) = 2, N = 60: A floor(40*58/60) = 38, Irecv 2.
	check(t, `
		1: A[0,20) Isend[20,22) B[22,40) Wait[40,90) A[90,100)
		2: A[0,10) Irecv[10,12) A[12,80) Wait[80,88) A[88,100)
		1>2 20 22 12 88 size 100000`,
		"1 [40,80) class 20 by 2 inferred", "2 A 38+0", "2 Irecv 2+0")
	// In MPI when the message is announced, or back before T1 waits: no wait.
	check(t, `
		1: A[0,20) Isend[20,22) B[22,40) Wait[40,90) A[90,100)
		2: A[0,10) Irecv[10,12) A[12,15) Barrier[15,25) A[25,80) Wait[80,88) A[88,100)
		1>2 20 22 12 88 size 100000`)
	check(t, `
		1: A[0,20) Isend[20,22) B[22,40) Wait[40,90) A[90,100)
		2: A[0,10) Irecv[10,12) A[12,35) Wait[35,88) A[88,100)
		1>2 20 22 12 88 size 100000`)
	// The second message is complete although T2 is away until 180: this machine needs no receiver, 1 of 2.
	check(t, `
		1: A[0,20) Isend[20,22) B[22,40) Wait[40,90) A[90,120) Isend[120,122) Wait[122,140) A[140,200)
		2: A[0,10) Irecv[10,12) A[12,80) Wait[80,88) A[88,110) Irecv[110,112) A[112,180) Wait[180,190) A[190,200)
		1>2 20 22 12 88 size 100000
		1>2 120 122 112 190 size 100000`)
}

func TestWrongOrder(t *testing.T) {
	// 5
	check(t, `
		1: A[0,10) Recv[10,62) Recv[62,65)
		2: A[0,60) Send[60,61)
		3: A[0,5) Send[5,6)
		2>1 60 61 10 62
		3>1 5 6 62 65`,
		"1 [10,60) class 3 by 2", "2 A 50+0")
	check(t, `
		1: A[0,10) Recv[10,62) Recv[62,65)
		2: A[0,60) Send[60,61)
		3: A[0,61) Send[61,62)
		2>1 60 61 10 62
		3>1 61 62 62 65`,
		"1 [10,60) class 1 by 2", "2 A 50+0")
	// 6
	check(t, `
		1: A[0,10) Recv[10,62) Recv[62,64)
		2: A[0,30) Send[30,31) A[31,60) Send[60,61)
		2>1 60 61 10 62
		2>1 30 31 62 64`,
		"1 [10,60) class 2 by 2", "2 A 49+0", "2 Send 1+0") // A 59 - 10, Send 1: N = 50
	check(t, `
		1: A[0,10) Recv[10,32) Recv[32,62)
		2: A[0,30) Send[30,31) A[31,60) Send[60,61)
		2>1 30 31 10 32
		2>1 60 61 32 62`,
		// 20; of [30,60) A has 29 and Send 1: of 28, floor(28*29/30) = 27 and 1
		"1 [10,30) class 1 by 2", "1 [32,60) class 1 by 2", "2 A 47+0", "2 Send 1+0")
	// 7
	check(t, `
		1: A[0,10) Recv[10,62) Recv[62,80) Recv[80,82)
		2: A[0,20) Send[20,21) A[21,60) Send[60,61)
		3: A[0,75) Send[75,76)
		2>1 60 61 10 62
		3>1 75 76 62 80
		2>1 20 21 80 82`,
		"1 [10,60) class 2 by 2", "1 [62,75) class 3 by 3", "2 A 49+0", "2 Send 1+0", "3 A 13+0")
}

// Checks 8 to 13: calls that complete several messages.
func TestCompletions(t *testing.T) {
	// 8
	check(t, `
		1: Irecv[0,2) Irecv[2,4) A[4,30) Waitall[30,120)
		2: A[0,50) Send[50,55)
		3: A[0,90) Send[90,95)
		2>1 50 55 2 120
		3>1 90 95 4 120`,
		"1 [30,90) class 1 by 3", "3 A 60+0")
	// 9
	check(t, `
		1: Irecv[0,2) Irecv[2,4) A[4,30) Waitany[30,55) A[55,60) Waitany[60,95)
		2: A[0,50) Send[50,55)
		3: A[0,90) Send[90,95)
		2>1 50 55 2 55
		3>1 90 95 4 95`,
		"1 [30,50) class 1 by 2", "1 [60,90) class 1 by 3", "2 A 20+0", "3 A 30+0")
	// 10
	check(t, `
		1: Irecv[0,2) Irecv[2,4) A[4,30) Waitsome[30,58)
		2: A[0,50) Send[50,55)
		3: A[0,52) Send[52,55)
		2>1 50 55 2 58
		3>1 52 55 4 58`,
		"1 [30,50) class 1 by 2", "2 A 20+0")
	check(t, `
		1: Irecv[0,1) Irecv[1,2) Irecv[2,4) A[4,30) Waitsome[30,58)
		2: A[0,50) Send[50,55)
		3: A[0,25) Send[25,26) A[26,52) Send[52,55)
		3>1 25 26 1 58
		2>1 50 55 2 58
		3>1 52 55 4 58`)
	// 11
	check(t, `
		1: Irecv[0,2) Isend[2,4) A[4,30) Waitall[30,120)
		2: A[0,50) Send[50,55)
		3: A[0,90) Recv[90,118)
		2>1 50 55 2 120
		1>3 2 4 90 118 size 100000`,
		"1 [30,90) class 4 by 3 inferred", "3 A 60+0")
	// 12
	check(t, `
		1: A[0,10) Isend[10,12) B[12,20) Wait[20,75)
		2: A[0,60) Irecv[60,62) C[62,70) Wait[70,78)
		1>2 10 12 62 78 size 100000`,
		"1 [20,60) class 4 by 2 inferred", "2 A 40+0")
	// 13
	ring := `
		1: A[0,10) Sendrecv[10,50)
		2: A[0,25) Sendrecv[25,50)
		3: A[0,40) Sendrecv[40,50)
		1>2 10 10 25 50 size %d
		2>3 25 25 40 50 size %d
		3>1 40 40 10 50 size %d`
	check(t, sized(ring, 8), "1 [10,40) class 1 by 3", "3 A 30+0")
	check(t, sized(ring, 100000), "1 [10,40) class 1 by 3", "2 [25,40) class 4 by 3", "3 A 45+0")
}

// Checks 14 to 16: wrong clocks, tracing off, states without events.
func TestImperfect(t *testing.T) {
	r := check(t, `
		1: A[0,20) Recv[20,60)
		2: A[0,75) Send[75,80)
		2>1 75 80 20 60`,
		"1 [20,60) class 1 by 2 clock", "2 A 40+0")
	if len(r.Clocks) != 1 || r.Clocks[0].Messages != 1 || r.Clocks[0].Largest != 15 {
		t.Errorf("clocks %+v", r.Clocks)
	}
	r = check(t, `
		1: off[0,50) A[50,70) Recv[70,100)
		2: off[0,50) A[50,90) Send[90,92)
		2>1 90 92 70 100`,
		"1 [70,90) class 1 by 2", "2 A 20+0")
	if from := r.Interval(0); from != 50 {
		t.Errorf("the interval begins at %d", from)
	}
	check(t, `
		1: off[0,50) A[50,70) Recv[70,100)
		2: off[0,50) A[50,90)
		2>1 20 22 70 100`)
	check(t, `
		1: state[20,100)
		2:
		2>1 70 70 20 100`,
		"1 [20,70) class 1 by 2", "2 computation 50+0")
}
