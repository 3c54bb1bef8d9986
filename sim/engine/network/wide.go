package network

// Collective operations over several clusters. As in Dimemas, an operation takes all buses of each cluster, then, when
// it has a cluster's buses, an output link from it to the wide area network; when it has all of these, an input link of
// each cluster. It waits for them in the queues of messages, and holds all until its end. One half-duplex link serves
// as both.

import "slices"

// occupation has the buses and links that an operation holds.
type occupation struct {
	clusters  []int32 // ascending
	missing   []int   // by cluster: buses
	out, in   []int32 // by cluster: links
	outs, ins int     // number of clusters that have theirs
	asking    bool    // the operation begins directly if it gets everything
}

func (w *linksAndBuses) occupyWide(in int32, clusters []int32) bool {
	o := w.newOccupation(clusters)
	w.wide[in] = o
	for k, c := range o.clusters {
		if o.missing[k] = w.takeBuses(in, &w.pools[c]); o.missing[k] == 0 {
			w.wantOut(in, c)
		}
	}
	o.asking = false
	return o.ins == len(clusters)
}

func (w *linksAndBuses) newOccupation(clusters []int32) *occupation {
	o := &occupation{}
	if last := len(w.over) - 1; last >= 0 {
		o, w.over = w.over[last], w.over[:last]
	}
	*o = occupation{clusters: append(o.clusters[:0], clusters...), missing: o.missing[:0], out: o.out[:0], in: o.in[:0],
		asking: true}
	slices.Sort(o.clusters)
	for range clusters {
		o.missing, o.out, o.in = append(o.missing, 0), append(o.out, linkless), append(o.in, linkless)
	}
	return o
}

func (w *linksAndBuses) wideGetsBus(in int32, p *pool) {
	o := w.wide[in]
	for k, c := range o.clusters {
		if &w.pools[c] == p {
			if o.missing[k]--; o.missing[k] == 0 {
				w.wantOut(in, c)
			}
			return
		}
	}
}

// wantOut takes an output link of a cluster, or waits for one.
func (w *linksAndBuses) wantOut(in, cluster int32) {
	p := &w.ports[w.clusterPort(int(cluster))]
	if !p.unlimited && p.freeOut == 0 {
		p.waitOut.PushBack(-1 - in)
		return
	}
	w.getOut(in, p)
}

// getOut takes a free output link, and after the last one asks for input links.
func (w *linksAndBuses) getOut(in int32, p *port) {
	o := w.wide[in]
	if !p.unlimited {
		o.out[w.clusterOf(o, p)] = p.takeFree(-1-in, 0, p.out, &p.freeOut)
	}
	if o.outs++; o.outs < len(o.clusters) {
		return
	}
	for _, c := range o.clusters {
		p := &w.ports[w.clusterPort(int(c))]
		if !p.unlimited && !p.half && p.freeIn == 0 {
			p.waitIn.PushBack(-1 - in)
			continue
		}
		w.getIn(in, p)
	}
}

// getIn takes a free input link, and after the last one begins the operation.
func (w *linksAndBuses) getIn(in int32, p *port) {
	o := w.wide[in]
	if !p.unlimited && !p.half {
		o.in[w.clusterOf(o, p)] = p.takeFree(-1-in, p.out, p.in, &p.freeIn)
	}
	if o.ins++; o.ins == len(o.clusters) && !o.asking {
		w.Operations.Begin(in)
	}
}

// clusterOf returns the position of the cluster of a port.
func (w *linksAndBuses) clusterOf(o *occupation, p *port) int {
	return slices.IndexFunc(o.clusters, func(c int32) bool { return &w.ports[w.clusterPort(int(c))] == p })
}

// vacateWide frees the operation's resources, cluster by cluster.
func (w *linksAndBuses) vacateWide(in int32) {
	o := w.wide[in]
	delete(w.wide, in)
	defer func() { w.over = append(w.over, o) }()
	for k, c := range o.clusters {
		w.pools[c].free = w.pools[c].buses
		p := &w.ports[w.clusterPort(int(c))]
		if l := o.out[k]; l >= 0 {
			w.releaseOut(p, l)
		}
		if l := o.in[k]; l >= 0 {
			w.releaseIn(p, l)
		}
		if p := &w.pools[c]; p.buses > 0 {
			w.serve(p)
		}
	}
}
