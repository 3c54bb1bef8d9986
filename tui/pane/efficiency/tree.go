package efficiency

import (
	"slices"

	"pview/insight/efficiency"
	"pview/render/style"
)

// The lines of the pane: the tree of the factors, and the chosen line and run.

// column returns the column of the chosen run: chosen by the user, else by the window in focus.
func (p *Pane) column() int {
	for _, key := range []string{p.chosen, runKey(p.sc.View.Trace)} {
		if i := slices.Index(p.order, key); i >= 0 {
			return i
		}
	}
	return 0
}

// Labels returns the names of the columns, those of the runs in their order.
func (p *Pane) Labels() []string { return p.labels }

// Run returns the chosen run; nil while none is measured.
func (p *Pane) Run() *efficiency.Run {
	if p.report == nil {
		return nil
	}
	return p.report.Runs[p.column()]
}

// lines lists the factors of the tree, then the other figures that have values. A run scales by 100 % against itself,
// so that a single run has no comparing factors.
func (p *Pane) lines(th *style.Theme) (list []factorLine) {
	pointless := func(n efficiency.Node) bool { return n.Factor.Compares && len(p.report.Runs) == 1 }
	tree := slices.DeleteFunc(p.report.Tree(), pointless)
	for i, n := range tree {
		list = append(list, factorLine{n.Factor, treeLead(tree, i, th)})
	}
	for _, n := range p.report.Others() {
		if p.report.Has(n.Factor, nil) && !pointless(n) {
			list = append(list, factorLine{n.Factor, ""})
		}
	}
	return list
}

// treeLead draws the branches that lead to a factor.
func treeLead(tree []efficiency.Node, i int, th *style.Theme) string {
	more := func(depth int) bool { // whether another factor of that depth follows below the same parent
		for _, n := range tree[i+1:] {
			if n.Depth <= depth {
				return n.Depth == depth
			}
		}
		return false
	}
	branch, last, through, none := "├ ", "└ ", "│ ", "  "
	if th.Glyphs.Name == "ascii" {
		branch, last, through = "|-", "`-", "| "
	}
	lead := ""
	for d := 1; d < tree[i].Depth; d++ {
		if more(d) {
			lead += through
		} else {
			lead += none
		}
	}
	switch {
	case tree[i].Depth == 0:
		return ""
	case more(tree[i].Depth):
		return lead + branch
	}
	return lead + last
}
