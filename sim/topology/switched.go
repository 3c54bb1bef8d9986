package topology

// Networks with switches that run no process: fat trees and dragonflies.

// fatTree is a k-ary n-tree (F. Petrini, M. Vanneschi: k-ary n-trees, IPPS 1997). Processor p has n digits to base k,
// the first the most significant; switch <w, l> of level l, 0 at the top, has n-1. <w, l> and <w', l+1> are joined if w
// and w' agree except in digit l; processor p and <w, n-1> if w is p without its last digit. So the crossing between
// levels l and l+1 can change digit l, and a route is a walk over levels that makes every crossing at which the ends
// differ.
type fatTree struct {
	named
	k, n     int
	hosts    int
	switches int   // of a level
	weight   []int // of digit i of a processor; digit i of a switch has weight[i+1]
}

func newFatTree(a []int) (Topology, error) {
	k, n := a[0], a[1]
	hosts, level := power(k, n), power(k, n-1)
	if err := tooMany(max(hosts, hosts+n*level)); err != nil {
		return nil, err
	}
	f := &fatTree{named{"fat-tree", a, hosts + n*level}, k, n, hosts, level, make([]int, n)}
	for i := range n {
		f.weight[i] = power(k, n-1-i)
	}
	return f, nil
}

func (f *fatTree) Hosts() int    { return f.hosts }
func (f *fatTree) Diameter() int { return 2 * f.n } // k = 1: fewer, but that is a row
func (f *fatTree) Ports() int    { return 2 * f.k }

// at returns the level of a vertex, n for processors, and its digits as for a processor, with the last one 0 for a
// switch.
func (f *fatTree) at(v int) (level, digits int) {
	if v < f.hosts {
		return f.n, v
	}
	v -= f.hosts
	return v / f.switches, v % f.switches * f.k
}

func (f *fatTree) level(v int) int {
	level, _ := f.at(v)
	return level
}

// vertex returns the inverse of at.
func (f *fatTree) vertex(level, digits int) int {
	if level == f.n {
		return digits
	}
	return f.hosts + level*f.switches + digits/f.k
}

// span returns the highest and the lowest level of a shortest walk.
func (f *fatTree) span(a, b int) (la, lb, top, bottom int) {
	la, x := f.at(a)
	lb, y := f.at(b)
	top, bottom = min(la, lb), max(la, lb)
	digits := f.n
	if la < f.n || lb < f.n {
		digits-- // switches have no last digit
	}
	for i := range digits {
		if x/f.weight[i]%f.k != y/f.weight[i]%f.k {
			top, bottom = min(top, i), max(bottom, i+1)
		}
	}
	return la, lb, top, bottom
}

func (f *fatTree) Distance(a, b int) int {
	if a == b {
		return 0
	}
	la, lb, top, bottom := f.span(a, b)
	return max(la, lb) - min(la, lb) + 2*(min(la, lb)-top) + 2*(bottom-max(la, lb))
}

// Neighbours returns the upper neighbours, by the changed digit, then the lower ones.
func (f *fatTree) Neighbours(v int, list []int) []int {
	level, x := f.at(v)
	if level == f.n {
		return append(list, f.vertex(level-1, x-x%f.k))
	}
	if level > 0 {
		list = f.crossing(list, level-1, level-1, x)
	}
	return f.crossing(list, level+1, level, x)
}

// crossing appends the vertices of a level with any value of a digit.
func (f *fatTree) crossing(list []int, level, digit, x int) []int {
	x -= x / f.weight[digit] % f.k * f.weight[digit]
	for c := range f.k {
		list = append(list, f.vertex(level, x+c*f.weight[digit]))
	}
	return list
}

// Next goes up to where the routes part, taking the target's digits: all messages to a processor come down the same
// route.
func (f *fatTree) Next(at, to int) (port, vertex int) {
	la, lb, top, bottom := f.span(at, to)
	_, x := f.at(at)
	_, y := f.at(to)
	up := la > top
	if la <= lb && la == top || la > lb && bottom > la {
		up = false
	}
	if up {
		digit := la - 1
		if la == f.n {
			return 0, f.vertex(la-1, x-x%f.k)
		}
		return f.toward(la-1, digit, x, y, 0)
	}
	return f.toward(la+1, la, x, y, one(la > 0)*f.k)
}

// toward crosses to a level, and sets the digit to the target's.
func (f *fatTree) toward(level, digit, x, y, firstPort int) (port, vertex int) {
	c := y / f.weight[digit] % f.k
	x += (c - x/f.weight[digit]%f.k) * f.weight[digit]
	return firstPort + c, f.vertex(level, x)
}

// dragonfly is the balanced network of J. Kim et al. (ISCA 2008): group i's k-th link to another group leads to group
// i+k+1 (mod groups), and starts at its router k/h.
type dragonfly struct {
	named
	p, a, h       int
	groups, hosts int
}

func newDragonfly(n []int) (Topology, error) {
	d := &dragonfly{named: named{"dragonfly", n, 0}, p: n[0], a: n[1], h: n[2]}
	if d.a > 1<<10 || d.h > 1<<10 || d.p > 1<<10 {
		return nil, tooMany(limit + 1)
	}
	d.groups = d.a*d.h + 1
	d.hosts = d.p * d.a * d.groups
	d.vertices = d.hosts + d.a*d.groups
	return d, tooMany(d.vertices)
}

func (d *dragonfly) Hosts() int { return d.hosts }
func (d *dragonfly) Ports() int { return d.p + d.a - 1 + d.h }

func (d *dragonfly) Diameter() int {
	longest := 0
	for r := range d.a { // all groups are the same
		for q := range d.a * d.groups {
			longest = max(longest, d.routers(r, q))
		}
	}
	return longest + 2
}

// router returns the router of a vertex, and the distance to it.
func (d *dragonfly) router(v int) (router, distance int) {
	if v < d.hosts {
		return v / d.p, 1
	}
	return v - d.hosts, 0
}

// level returns 0 for routers, 1 for processors.
func (d *dragonfly) level(v int) int {
	_, level := d.router(v)
	return level
}

func (d *dragonfly) Distance(a, b int) int {
	if a == b {
		return 0
	}
	ra, da := d.router(a)
	rb, db := d.router(b)
	return da + d.routers(ra, rb) + db
}

// gateway returns the router of group i with the link to group j.
func (d *dragonfly) gateway(i, j int) int {
	k := (j - i - 1 + d.groups) % d.groups
	return i*d.a + k/d.h
}

// routers returns the distance of two routers: at most a link within the group, one between groups and one within the
// other group; or two links between groups if these meet at a router.
func (d *dragonfly) routers(ra, rb int) int {
	i, j := ra/d.a, rb/d.a
	if i == j {
		return one(ra != rb)
	}
	n := one(ra != d.gateway(i, j)) + 1 + one(rb != d.gateway(j, i))
	if n < 3 {
		return n
	}
	for k := range d.h {
		if c := (i + ra%d.a*d.h + k + 1) % d.groups; c != j && d.gateway(c, i) == d.gateway(c, j) &&
			d.gateway(j, c) == rb {
			return 2
		}
	}
	return n
}

// Neighbours of a router: processors, routers of its group, other groups.
func (d *dragonfly) Neighbours(v int, list []int) []int {
	r, distance := d.router(v)
	if distance == 1 {
		return append(list, d.hosts+r)
	}
	for q := range d.p {
		list = append(list, r*d.p+q)
	}
	i, own := r/d.a, r%d.a
	for q := range d.a {
		if q != own {
			list = append(list, d.hosts+i*d.a+q)
		}
	}
	for k := range d.h {
		c := (i + own*d.h + k + 1) % d.groups
		list = append(list, d.hosts+d.gateway(c, i))
	}
	return list
}

func (d *dragonfly) Next(at, to int) (port, vertex int) {
	return closer(d, at, to, make([]int, 0, d.Ports()))
}
