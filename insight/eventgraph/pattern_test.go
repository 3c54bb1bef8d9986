package eventgraph

import "testing"

// A matrix is given by the creators of the executions: for each processor a list by depth, in which each digit is a
// processor, and "." nobody. Origins are the creators where nothing else is given.
func TestForms(t *testing.T) {
	offset, repeated := []string{"2 1", "0 2", "1 0"}, []string{"2 1", "2 2", "1 0"}
	ended := []string{"2 1", "0 2", "1 ."}
	for name, c := range map[string]struct {
		creators, origins []string
		want              Pattern
	}{
		"all to 1":                              {[]string{"", "02", ""}, nil, BottleneckOfAll},
		"all to 1, and itself":                  {[]string{"", "0122", ""}, nil, BottleneckOfAll},
		"one of two":                            {[]string{"", "0"}, nil, NoPattern},
		"not all to 1":                          {[]string{"", "0", ""}, nil, NoPattern},
		"all to 1, but one":                     {[]string{"", "02", "1"}, nil, NoPattern},
		"all to 1, twice":                       {[]string{"", "02 0", ""}, nil, NoPattern},
		"1 to all":                              {[]string{"1", "1", "1"}, nil, BroadcastToAll},
		"1 to two of three":                     {[]string{"1", "1", ""}, nil, NoPattern},
		"to all, of two":                        {[]string{"1", "1", "0"}, nil, NoPattern},
		"twice to one":                          {[]string{"1", "1", "11"}, nil, NoPattern},
		"to itself":                             {[]string{"0"}, nil, NoPattern},
		"a chain":                               {[]string{". . 1", "2", ". 0"}, nil, ChainOfAll},
		"a chain of two":                        {[]string{". 1", "0"}, nil, ChainOfAll},
		"a chain with two at a depth":           {[]string{". . 1", "2", "0"}, nil, NoPattern},
		"a chain that visits one more":          {[]string{". . 1", "2 2", ". 0"}, nil, NoPattern},
		"rings":                                 {[]string{"2 2", "0 0", "1 1"}, offset, RingOfAll},
		"rings of the same origins":             {[]string{"2 2", "0 0", "1 1"}, repeated, NoPattern},
		"rings with one to itself":              {[]string{"2 0", "0 0", "1 1"}, offset, NoPattern},
		"a ring that ends":                      {[]string{"2 2", "0 0", "1 ."}, ended, NoPattern},
		"a reduction to 0":                      {[]string{"1 2", ". .", "3 .", ". ."}, nil, Reduction},
		"a reduction in which 2 sends to two":   {[]string{"1 2", ". .", "3 2", ". ."}, nil, NoPattern},
		"a reduction that ends on 2":            {[]string{"1 .", ". .", "3 0", ". ."}, nil, Reduction},
		"a reduction with two ends":             {[]string{"1 .", ". .", ". 3", ". ."}, nil, NoPattern},
		"a reduction that is deepest elsewhere": {[]string{"1 2", ". .", ". 3", ". ."}, nil, NoPattern},
	} {
		m := &Matrix{}
		m.Creators, m.depth = table(c.creators)
		m.Origins, _ = table(c.creators)
		if c.origins != nil {
			m.Origins, _ = table(c.origins)
		}
		if got := m.Form(); got != c.want {
			t.Errorf("%s: pattern %d, want %d", name, got, c.want)
		}
	}
}

func table(rows []string) (list [][][]int32, depth int) {
	for _, row := range rows {
		columns := [][]int32{nil}
		for _, r := range row {
			last := len(columns) - 1
			switch r {
			case ' ':
				columns = append(columns, nil)
			case '.':
			default:
				columns[last] = append(columns[last], r-'0')
			}
		}
		list, depth = append(list, columns), max(depth, len(columns))
	}
	for i := range list {
		for len(list[i]) < depth {
			list[i] = append(list[i], nil)
		}
	}
	return list, depth
}

// On 4 processors, for 10 each: 1 fixed and 2 of 4 movable tasks run, where 3 could; then 3 fixed ones alone; then 1
// movable one of 1, where 4 could.
func TestJudge(t *testing.T) {
	list := []Stage{{0, 10, 2, 1, 4, 5}, {10, 20, 0, 3, 0, 3}, {20, 30, 1, 0, 1, 1}}
	want := balance{
		Contribution:  (2./3 + 0./1 + 1./4) / 3,
		Distribution:  (2./4 + 1 + 1./1) / 3, // 1: there is nothing to distribute
		Effectiveness: (2./3 + 1 + 1./1) / 3,
		Lost:          10, // of the first
		Parallelism:   (5. + 3 + 1) / 3,
		Missing:       10 + 30, // of the second and the third
	}
	got := Judge(list, 4)
	near := func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }
	if !near(got.Contribution, want.Contribution) || !near(got.Distribution, want.Distribution) ||
		!near(got.Effectiveness, want.Effectiveness) || got.Lost != want.Lost || got.Parallelism != want.Parallelism ||
		got.Missing != want.Missing {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Judge(nil, 4); got != (balance{}) {
		t.Errorf("no stages are %+v", got)
	}
	g := &Graph{Driven: &drivenRun{stages: list}}
	clipped := g.StagesIn(5, 20)
	if len(clipped) != 2 || clipped[0].From != 5 || clipped[0].To != 10 || clipped[1].From != 10 ||
		clipped[1].To != 20 {
		t.Errorf("from 5 to 20: %v", clipped)
	}
	if clipped = g.StagesIn(10, 21); len(clipped) != 2 || clipped[1].To != 21 {
		t.Errorf("from 10 to 21: %v", clipped)
	}
}
