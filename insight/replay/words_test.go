package replay_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pview/insight/replay"
	"pview/insight/runtest"
	"pview/prv"
	"pview/prv/prvtest"
)

// kinds are the kinds of edges, in words.
var kinds = [...]string{"message", "ready", "back", "arrive", "leave", "root", "wait"}

// graph writes the nodes of a model with their edges.
func graph(m *replay.Model) string {
	var b strings.Builder
	for n, time := range m.Time {
		fmt.Fprintf(&b, "%d: thread %d at %d, own %d", n, m.Thread[n]+1, time, m.Own[n])
		if m.Prev[n] >= 0 {
			fmt.Fprintf(&b, " after %d", m.Prev[n])
		}
		for k := m.First[n]; k < m.First[n+1]; k++ {
			fmt.Fprintf(&b, "; %s %d of %d + %d", kinds[m.Edge[k].Kind], m.Edge[k].Ref, m.Source[k], m.Lag[k])
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "last %v, replayed until %d of %d, %d edges dropped\n", m.Last, m.Base(), m.End, m.Skewed)
	return b.String()
}

// The graphs of small programs on two nodes, where a call takes 500 and a message 1,000, and 2 per byte.
func TestGraphs(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		what  string
		tasks int
		plan  func(p *runtest.Program)
	}{
		{"a late sender", 2, func(p *runtest.Program) {
			p.Work(0, 1, 9000)
			p.Send(0, 1)
			p.Recv(1, 0)
		}},
		{"a late receiver", 2, func(p *runtest.Program) {
			p.Add(0, runtest.Step{Do: runtest.SendsSync, Peer: 1, Size: 100})
			p.Work(1, 1, 9000)
			p.Recv(1, 0)
		}},
		{"posted receives, completed one after the other", 2, func(p *runtest.Program) {
			p.Add(1, runtest.Step{Do: runtest.Posts, Peer: 0})
			p.Add(1, runtest.Step{Do: runtest.Posts, Peer: 0})
			p.Work(0, 1, 9000)
			p.Send(0, 1)
			p.Send(0, 1)
			p.Add(1, runtest.Step{Do: runtest.Completes})
			p.Work(1, 2, 9000)
			p.Add(1, runtest.Step{Do: runtest.Completes})
		}},
		{"an operation of four", 4, func(p *runtest.Program) {
			for task := range 4 {
				p.Work(task, 1, 1000*int64(task+1))
			}
			p.All(runtest.Step{Do: runtest.Meets})
			p.Work(0, 1, 700)
		}},
		{"tests and a runtime", 2, func(p *runtest.Program) {
			p.Add(0, runtest.Step{Do: runtest.Tests, Time: 300})
			p.Add(0, runtest.Step{Do: runtest.InRuntime, Time: 400})
			p.Send(0, 1)
			p.Recv(1, 0)
		}},
	} {
		p := runtest.NewProgram(c.tasks)
		p.Nodes, p.PerByte = 2, 2
		c.plan(p)
		fmt.Fprintf(&b, "=== %s\n%s", c.what, graph(runtest.Model(t, p.Run(t))))
	}
	prvtest.SameFile(t, "testdata/graphs.txt", b.String())
}

// The number of edges of each kind, and their lags, in traces of the repository.
func TestEdges(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"callmix_4_skew", "hybrid_4x4", "heat2d_8"} {
		files, _ := filepath.Glob(filepath.Join(prvtest.Root(), "testdata", "traces", name, name+".prv*"))
		tr, err := prv.Open(context.Background(), files[0], prv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := runtest.Model(t, tr)
		var edges, lags [len(kinds)]int64
		own := int64(0)
		for k, e := range m.Edge {
			edges[e.Kind]++
			lags[e.Kind] += m.Lag[k]
		}
		for _, v := range m.Own {
			own += v
		}
		fmt.Fprintf(&b, "%s: %d nodes, own times %d, %d edges dropped, replayed until %d of %d\n", name, len(m.Time),
			own, m.Skewed, m.Base(), m.End)
		for kind, n := range edges {
			if n > 0 {
				fmt.Fprintf(&b, "  %s: %d, lags %d\n", kinds[kind], n, lags[kind])
			}
		}
	}
	prvtest.SameFile(t, "testdata/edges.txt", b.String())
}
