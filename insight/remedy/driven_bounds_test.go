package remedy_test

import (
	"context"
	"slices"
	"testing"

	"pview/insight/remedy"
	"pview/insight/replay"
	"pview/insight/report"
)

// back returns executions on a processor one behind the other, from a time on, of an entry method. Their messages were
// created 1 us apart after 100.
func back(pe int32, from, entry int64, lengths ...int64) (list []execute) {
	for i, length := range lengths {
		list = append(list, execute{pe, from, from + length, entry, 101 + int64(i), 0})
		from += length
	}
	return list
}

// of gives executions the objects 1, 2, ...
func of(list []execute) []execute {
	for i := range list {
		list[i].object = int64(i) + 1
	}
	return list
}

// Losses at the bound from which they count, and just below it. All runs begin with 10 us at 100 on processor 1.
func TestDrivenBounds(t *testing.T) {
	start := execute{begin: 100, end: 110, entry: 1}
	gaps := func(gaps ...int64) (list []execute, busy [][3]int64) {
		at := int64(110)
		for i, gap := range gaps {
			busy = append(busy, [3]int64{0, at, at + gap})
			list = append(list, execute{0, at + gap, at + gap + 8, 2, 101 + int64(i), 0})
			at += gap + 8
		}
		return list, busy
	}
	for _, c := range []struct {
		name   string
		list   []execute
		gaps   []int64 // of the runtime system, between executions
		length int64   // of the window; 0: as recorded
		rule   report.RuleID
		found  bool
	}{
		// 5 times the median, of 4 executions or more.
		{"five times", back(0, 110, 2, 2, 10, 2, 2), nil, 0, "R08", true},
		{"less", back(0, 110, 2, 2, 9, 2, 2), nil, 0, "R08", false},
		{"of three", back(0, 110, 2, 2, 10, 2), nil, 0, "R08", false},
		{"five of one", back(0, 110, 2, 1, 5, 1, 1), nil, 0, "R08", true},
		// 8 us more are 0.5 % of 1600.
		{"large enough", back(0, 110, 2, 2, 10, 2, 2), nil, 1600, "R08", true},
		{"too small", back(0, 110, 2, 2, 10, 2, 2), nil, 1601, "R08", false},

		{"gap of five", nil, []int64{2, 2, 10, 2}, 0, "R14", true},
		{"gap of less", nil, []int64{2, 2, 9, 2}, 0, "R14", false},
		{"three gaps", nil, []int64{2, 10, 2}, 0, "R14", false},
		{"gap of five of one", nil, []int64{1, 1, 5, 1}, 0, "R14", true},
		{"gap, large enough", nil, []int64{2, 2, 10, 2}, 1600, "R14", true},
		{"gap, too small", nil, []int64{2, 2, 10, 2}, 1601, "R14", false},

		// More than 1.2 times the median of the other processors; 2 x 5 us are 0.5 % of 2000.
		{"as slow", slices.Concat(back(0, 110, 2, 24, 24), back(1, 110, 2, 20, 20)), nil, 0, "R13", false},
		{"slower", slices.Concat(back(0, 110, 2, 25, 25), back(1, 110, 2, 20, 20)), nil, 0, "R13", true},
		{"slower, large enough", slices.Concat(back(0, 110, 2, 25, 25), back(1, 110, 2, 20, 20)), nil, 2000, "R13",
			true},
		{"slower, too small", slices.Concat(back(0, 110, 2, 25, 25), back(1, 110, 2, 20, 20)), nil, 2001, "R13",
			false},

		// 3 and 2 executions are 1.2 times the mean of 2.5; 4 and 2 are 4/3 of 3.
		{"as often", slices.Concat(back(0, 110, 2, 20, 20, 20), back(1, 110, 2, 5, 5)), nil, 0, "R12", false},
		{"oftener", slices.Concat(back(0, 110, 2, 20, 20, 20, 20), back(1, 110, 2, 5, 5)), nil, 0, "R12", true},
		{"oftener on the second", slices.Concat(back(0, 110, 2, 5, 5), back(1, 110, 2, 20, 20, 20, 20)), nil, 0, "R12",
			true},
		{"twice", slices.Concat(back(0, 110, 2, 20, 20), back(1, 110, 3, 5)), nil, 0, "R12", true},
		{"once", slices.Concat(back(0, 110, 2, 20), back(1, 110, 3, 5)), nil, 0, "R12", false},
		// 1 more than the mean, of 90 us in 6 executions: 15 us are 0.5 % of 3000.
		{"oftener, large enough", slices.Concat(back(0, 110, 2, 20, 20, 20, 20), back(1, 110, 2, 5, 5)), nil, 3000,
			"R12", true},
		{"oftener, too small", slices.Concat(back(0, 110, 2, 20, 20, 20, 20), back(1, 110, 2, 5, 5)), nil, 3001, "R12",
			false},

		// 60 us and 40 us are 1.2 times the mean; 60 and 39 are more, and 10 us move.
		{"as loaded", slices.Concat(of(back(0, 110, 2, 40, 10)), of(back(1, 103, 2, 40))), nil, 0, "R15", false},
		{"loaded", slices.Concat(of(back(0, 110, 2, 40, 10)), of(back(1, 103, 2, 39))), nil, 0, "R15", true},
	} {
		list, busy := c.list, [][3]int64(nil)
		processors := 2
		if c.gaps != nil {
			list, busy = gaps(c.gaps...)
			processors = 1
		} else if !slices.ContainsFunc(list, func(x execute) bool { return x.pe > 0 }) {
			processors = 1
		}
		r := drivenRun(t, processors, slices.Concat([]execute{start}, list), busy...)
		if c.length > 0 {
			r.Length = c.length
		}
		found, err := r.Find(nil)
		if err != nil {
			t.Fatal(err)
		}
		ofRule := func(x *remedy.Candidate) bool { return x.Rule == c.rule }
		if got := slices.ContainsFunc(found, func(x *remedy.Candidate) bool {
			return ofRule(x) || slices.ContainsFunc(x.Same, ofRule)
		}); got != c.found {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// Processor 1 waits for the message of the second execution, although the one for the third has come before: a queue
// would execute that meanwhile. The run counts as that of a queue if it ends at most 1 % earlier. The first execution
// of a processor needs no message.
func TestDrivenDeviation(t *testing.T) {
	for _, c := range []struct {
		idle      int64
		queued    bool
		deviation float64
	}{{0, true, 0}, {1, true, 0.01}, {2, false, 0}} {
		g, length := drivenLog(t, 1, []execute{{begin: 100, end: 110, entry: 1},
			{0, 110 + c.idle, 190, 2, 104, 0}, {0, 190, 200, 2, 102, 0}})
		r, err := remedy.NewDrivenRun(context.Background(), g, length)
		if err != nil || length != 100 || r.Queued != c.queued || r.Deviation() != c.deviation {
			t.Errorf("%d idle of %d: queued %v, off by %g, %v", c.idle, length, r.Queued, r.Deviation(), err)
		}
	}
	first, known, unknown := execute{begin: 100, end: 110, entry: 1}, execute{0, 110, 120, 2, 102, 0},
		execute{0, 120, 130, 2, 0, 0}
	for _, c := range []struct {
		list []execute
		want string
	}{
		{[]execute{first, known}, ""},
		{[]execute{first, known, {1, 110, 130, 2, 0, 0}}, ""}, // the first of its processor
		{[]execute{first, known, unknown},
			"1 of 3 executions have no recorded message: nothing else lets them begin earlier"},
	} {
		if got := drivenRun(t, 1+int(c.list[len(c.list)-1].pe), c.list).Note(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Each of two executions of 40 us in half of the time: 20 us less, both 40 of 90. A proposal that tells its own gain
// adds nothing to what the replay gains.
func TestDrivenTogether(t *testing.T) {
	r := drivenRun(t, 2, slices.Concat([]execute{{begin: 100, end: 110, entry: 1}}, back(0, 110, 2, 40, 40),
		back(1, 110, 2, 20, 20)))
	half := func(from int64) *remedy.Candidate {
		return &remedy.Candidate{Driven: &replay.DrivenEdit{Changes: []replay.Change{{Kind: replay.OfTime, From: from,
			To: from + 40, Factor: 0.5}}}}
	}
	for _, c := range []struct {
		list     []*remedy.Candidate
		two, all int64
	}{
		{[]*remedy.Candidate{half(110)}, 0, 0}, {[]*remedy.Candidate{half(110), {}}, 0, 0},
		{[]*remedy.Candidate{half(110), {}, half(150)}, 40, 40},
		{[]*remedy.Candidate{half(110), {Driven: &replay.DrivenEdit{}}, half(150)}, 20, 40},
	} {
		if two, all := r.Together(c.list); two != c.two || all != c.all {
			t.Errorf("%d of them gain %d and %d, not %d and %d", len(c.list), two, all, c.two, c.all)
		}
	}
	list, err := r.Find([]*remedy.Candidate{{Title: "own", Gain: 10}})
	if err != nil || len(list) != 1 || list[0].Gain != 40 ||
		!slices.ContainsFunc(list[0].Same, func(x *remedy.Candidate) bool { return x.Title == "own" }) {
		t.Errorf("%+v, %v", list, err)
	}
}

// Processor 1 needs twice the time of processor 2 for two entry methods: 2 x 20 us and 2 x 15 us more.
func TestDrivenSlowProcessor(t *testing.T) {
	r := drivenRun(t, 2, slices.Concat([]execute{{begin: 100, end: 110, entry: 1}}, back(0, 110, 2, 40, 40),
		back(0, 190, 3, 30, 30), back(1, 110, 2, 20, 20), back(1, 150, 3, 15, 15)))
	list, err := r.Find(nil)
	if err != nil || len(list) == 0 || list[0].Spec != "clock-as-others:threads=1.1.1" || list[0].Gain != 70 ||
		list[0].Estimate != 70 || len(list[0].Evidence) != 4 ||
		list[0].Title != "Work::run, value 3 take longer on 1.1.1 than on the others" {
		t.Errorf("%+v, %v", list[0], err)
	}
}

// Two of five executions take 6 and 10 times the median, and two of five gaps.
func TestDrivenSeveral(t *testing.T) {
	start := execute{begin: 100, end: 110, entry: 1}
	r := drivenRun(t, 1, slices.Concat([]execute{start}, back(0, 110, 2, 2, 20, 2, 12, 2)))
	list, err := r.Find(nil)
	if err != nil || len(list) != 1 || list[0].Gain != 28 || list[0].When != report.Periodic || list[0].Title !=
		"2 of 5 executions of Work::run take 5 times their median of 2 us or more, one on 1.1.1 20 us" {
		t.Errorf("%+v, %v", list, err)
	}
	r = drivenRun(t, 1, []execute{start, {0, 112, 120, 2, 101, 0}, {0, 140, 148, 2, 102, 0}, {0, 150, 158, 2, 103, 0},
		{0, 170, 178, 2, 104, 0}, {0, 180, 188, 2, 105, 0}}, [3]int64{0, 110, 112}, [3]int64{0, 120, 140},
		[3]int64{0, 148, 150}, [3]int64{0, 158, 170}, [3]int64{0, 178, 180})
	list, err = r.Find(nil)
	if err != nil || len(list) != 1 || list[0].Gain != 28 || list[0].When != report.Periodic ||
		list[0].Title != "the runtime system takes 5 times its median of 2 us or more between two executions, "+
			"2 times on 1.1.1, up to 20 us" {
		t.Errorf("%+v, %v", list, err)
	}
}
