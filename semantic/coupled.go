package semantic

import (
	"context"

	"pview/prv"
)

// Rows of a derived window that share a coarser parent.
//
// Paraver goes through the bursts of a row with a cursor. Where one parent of a derived window is at a coarser level
// than the other, and the rows are folded to a level above, the rows advance together, and all of them move one cursor
// on the coarser parent's row:
//
//	fine rows      A |-----|-----|        each has a cursor of its own
//	               B |---|-------|
//	coarse row       |------||---|        one cursor; a burst of no length at 6
//
// At time 6 the first row that is due moves the cursor to the burst of no length, and the next row moves it to the
// burst after, which the first row then finds too: only one row sees a burst of no length. If only the second parent is
// shifted, and it is the finer one, each row keeps a copy of the burst that it moved to and advances the cursor once
// more: the later a row in the order, the further ahead the burst that it sees. (Both are surely bugs, but these are
// the tool's numbers.)
//
// Two more cases change what a window means, so only printed output follows them (Printed). If the coarser parent is
// shifted, each row keeps the bursts from the current to the shifted one, as in a window that has a parent twice. In
// the operations on each burst of a control that is the coarser parent, each of n rows gets only every n-th burst.

// coupling describes how the rows of a derived window depend on one another.
type coupling struct {
	on      bool
	printed bool // coupled also, or differently, if the rows are printed
	copies  bool // each row keeps a copy of the coarser parent's burst
}

// couplingOf returns how the rows of a derived window depend on one another.
func couplingOf(w *Window, d *derivation) coupling {
	a, b := &w.Derived.A, &w.Derived.B
	if d.op.derive != nil || d.coarse.Level() == d.level || w.Level == d.level || a.Trace != nil || b.Trace != nil {
		return coupling{}
	}
	return coupling{on: d.op.point != nil, printed: d.op.point == nil || d.coarse.shift != 0,
		copies: a.Window.Level < b.Window.Level && a.Shift == 0 && b.Shift != 0}
}

// cursor goes through the bursts of a row. After the last it is at the end, where the value
// is 0.
type cursor struct {
	row bursts
	at  int
}

func (c *cursor) next() { c.at = min(c.at+1, len(c.row.begin)) }

func (c *cursor) until() int64 {
	if c.at == len(c.row.begin) {
		return c.row.end
	}
	return c.row.until(c.at)
}

func (c *cursor) value() float64 {
	if c.at == len(c.row.begin) {
		return 0
	}
	return c.row.value[c.at]
}

// coupledRow computes a row of the operation, burst by burst.
type coupledRow struct {
	op     *Entry
	fine   cursor // in operations on two values
	data   *side  // in operations on each burst of the control, which is the coarser parent
	coarse *side  // with a shared cursor
	end    int64  // of the current burst
	out    bursts
}

func (r *coupledRow) begin() {
	control := *r.coarse.now()
	if r.data != nil {
		r.end = control.until
		r.out = newBursts(r.data.on.row.end, r.op.within.first(r.data, control, r.data.on.row.end), 0)
		return
	}
	r.end = min(r.fine.until(), control.until)
	r.out = newBursts(r.fine.row.end, r.op.point(r.fine.value(), r.coarse.value()), len(r.fine.row.begin))
}

// step moves to the next burst.
func (r *coupledRow) step() {
	now, last := r.end, r.out.end
	if r.data != nil {
		r.coarse.move(1)
		control := *r.coarse.now()
		r.end = control.until
		r.out.add(now, r.op.within.next(r.data, control, last))
		return
	}
	if r.fine.until() <= now {
		r.fine.next()
	}
	if r.coarse.now().until <= now {
		r.coarse.move(1)
	}
	r.end = last
	for _, t := range [2]int64{r.fine.until(), r.coarse.now().until} {
		if t < last {
			r.end = min(r.end, t)
		}
	}
	r.out.add(now, r.op.point(r.fine.value(), r.coarse.value()))
}

// coupledTree holds the objects that make up a row of the window, down to the rows of the operation, which advance in
// the order that their parents give them.
type coupledTree struct {
	row  *coupledRow // of a leaf
	kids []*coupledTree
	due  merge // of an inner node
}

func (n *coupledTree) until() int64 {
	if n.row != nil {
		return n.row.end
	}
	return n.due.next()
}

// step advances everything that is due at a time, as merge does for one burst.
func (n *coupledTree) step(t int64) {
	if n.row != nil {
		n.row.step()
		return
	}
	for k := 0; k < len(n.kids) && n.due.next() == t; k++ {
		kid := n.due.queue[0].child
		n.kids[kid].step(t)
		n.due.queue[0] = due{n.kids[kid].until(), n.due.turn, kid}
		n.due.turn++
		n.due.sink(0)
	}
}

// together reports whether the rows of the operation advance together.
func (e *Evaluator) together() bool {
	c := &e.derived.coupling
	return c.on || e.printed && c.printed
}

// coupled returns an evaluator that has already computed the rows of the operation for object i of the window's level.
func (e *Evaluator) coupled(ctx context.Context, i int) (*Evaluator, error) {
	c := *e
	c.ready = map[int]bursts{}
	coarse := map[int]*cursor{}
	var rows []*coupledRow
	var objects []int
	var plant func(l prv.Level, i int) (*coupledTree, error)
	plant = func(l prv.Level, i int) (*coupledTree, error) {
		n := &coupledTree{}
		if l == e.derived.level {
			row, err := e.coupledRow(ctx, i, coarse)
			n.row = row
			rows, objects = append(rows, row), append(objects, i)
			return n, err
		}
		child, first, count := e.children(l, i)
		for k := range count {
			kid, err := plant(child, first+k)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, kid)
			n.due.queue = append(n.due.queue, due{kid.until(), int64(k), int32(k)})
		}
		n.due.turn = int64(count)
		n.due.order()
		return n, nil
	}
	root, err := plant(e.level, i)
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		for t, n := root.until(), 0; t < e.end; t, n = root.until(), n+1 {
			root.step(t)
			if n%pauseEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	for k, row := range rows {
		c.ready[objects[k]] = row.out
	}
	return &c, nil
}

// coupledRow prepares a row of the operation; coarse are the cursors of the coarser
// parent's rows.
func (e *Evaluator) coupledRow(ctx context.Context, i int, coarse map[int]*cursor) (*coupledRow, error) {
	d := e.derived
	a, err := d.fine.row(ctx, i)
	if err != nil {
		return nil, err
	}
	above := &d.coarse
	if e.printed { // the side applies its factor and its shift
		above = &source{Evaluator: d.coarse.Evaluator, factor: 1, scale: d.coarse.scale}
	}
	j, _ := ancestor(e.trace, d.level, i, d.coarse.Level())
	if coarse[j] == nil {
		b, err := above.row(ctx, j)
		if err != nil {
			return nil, err
		}
		coarse[j] = &cursor{row: b}
	}
	r := &coupledRow{op: d.op, fine: cursor{row: a}}
	if d.op.within != nil {
		r.data = newSide(&cursor{row: a}, 1, 0)
	}
	if r.coarse = newSide(coarse[j], 1, 0); e.printed {
		r.coarse = newSide(coarse[j], d.coarse.factor, d.coarse.shift)
	}
	r.coarse.copies = d.coupling.copies
	r.begin()
	return r, nil
}
