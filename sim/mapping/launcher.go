package mapping

// Files by which MPI launchers place tasks.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// Launcher is an entry of Launchers.
type Launcher struct {
	Ext, Doc string

	write func(w io.Writer, m Mapping, hosts Hosts) error
	read  func(words []string, line int, r *reading) error
}

// Launchers are the formats of mapping files, by the extension of their names.
var Launchers = []Launcher{
	{".map", "the node of each rank, a line each, from 0", writeList, readList},
	{".rankfile", "Open MPI: mpirun --map-by rankfile:file=FILE", writeRankfile, readRankfile},
	{".hostfile", "Slurm: SLURM_HOSTFILE=FILE srun --distribution=arbitrary", writeHostfile, readHostfile},
	{".order", "Cray MPICH: MPICH_RANK_REORDER_METHOD=3, the file named MPICH_RANK_ORDER", writeOrder, readOrder},
}

// LauncherOf finds a format by a file's name.
func LauncherOf(path string) (*Launcher, bool) {
	ext := filepath.Ext(path)
	if filepath.Base(path) == "MPICH_RANK_ORDER" {
		ext = ".order"
	}
	i := slices.IndexFunc(Launchers, func(l Launcher) bool { return l.Ext == ext })
	if i < 0 {
		return nil, false
	}
	return &Launchers[i], true
}

// Open reads a mapping of a number of tasks to a number of nodes; the name of the file determines its format.
func Open(path string, tasks, nodes int, hosts Hosts) (Mapping, error) {
	l, ok := LauncherOf(path)
	if !ok {
		var endings []string
		for _, l := range Launchers {
			endings = append(endings, l.Ext)
		}
		return nil, fmt.Errorf("%s: a mapping has the ending %s", path, strings.Join(endings, ", "))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := l.Read(path, f, tasks, hosts)
	if err == nil && slices.Max(m) >= nodes {
		err = fmt.Errorf("%s: it takes %d nodes, the machine has %d", path, slices.Max(m)+1, nodes)
	}
	return m, err
}

// Hosts are the names of the nodes; unnamed ones are node1, node2, ..., numbered as in placements.
type Hosts []string

func (h Hosts) name(n int) string {
	if n < len(h) {
		return h[n]
	}
	return "node" + strconv.Itoa(n+1)
}

func (h Hosts) node(name string) (int, error) {
	if i := slices.Index(h, name); i >= 0 {
		return i, nil
	}
	number, ok := strings.CutPrefix(name, "node")
	n, err := strconv.ParseUint(number, 10, 20)
	if !ok || err != nil || int(n) <= len(h) {
		return 0, fmt.Errorf("there is no node %q", name)
	}
	return int(n) - 1, nil
}

// Write writes a mapping.
func (l *Launcher) Write(out io.Writer, m Mapping, hosts Hosts) error {
	w := bufio.NewWriter(out)
	if err := l.write(w, m, hosts); err != nil {
		return err
	}
	return w.Flush()
}

func writeList(w io.Writer, m Mapping, _ Hosts) error {
	for _, n := range m {
		fmt.Fprintln(w, n)
	}
	return nil
}

func writeRankfile(w io.Writer, m Mapping, hosts Hosts) error {
	slot := map[int]int{}
	for t, n := range m {
		fmt.Fprintf(w, "rank %d=%s slot=%d\n", t, hosts.name(n), slot[n])
		slot[n]++
	}
	return nil
}

func writeHostfile(w io.Writer, m Mapping, hosts Hosts) error {
	for _, n := range m {
		fmt.Fprintln(w, hosts.name(n))
	}
	return nil
}

// writeOrder lists the ranks node by node: the launcher fills them one by one with the same number of ranks.
func writeOrder(w io.Writer, m Mapping, hosts Hosts) error {
	nodes := slices.Compact(slices.Sorted(slices.Values(m)))
	per := perNode(len(m), len(nodes))
	var names, ranks []string
	for i, node := range nodes {
		names = append(names, hosts.name(node))
		count := 0
		for t, n := range m {
			if n == node {
				ranks = append(ranks, strconv.Itoa(t))
				count++
			}
		}
		if count != per && i < len(nodes)-1 {
			return fmt.Errorf("MPICH puts the same number of ranks on each node, but node %s has %d, not %d",
				hosts.name(node), count, per)
		}
	}
	fmt.Fprintf(w, "# %d ranks a node, on these nodes in this order:\n# nodes %s\n%s\n", per, strings.Join(names, " "),
		strings.Join(ranks, ","))
	return nil
}

// reading is the state of reading a file.
type reading struct {
	hosts Hosts
	at    map[int]int // node by task
	nodes []int       // of an order file
	ranks []int
}

// Read reads a mapping of a number of tasks; name is for errors, which are of type *prv.FileError.
func (l *Launcher) Read(name string, in io.Reader, tasks int, hosts Hosts) (Mapping, error) {
	r := &reading{hosts: hosts, at: map[int]int{}}
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<24)
	line := 0
	fail := func(err error) error {
		return &prv.FileError{File: name, Line: int64(line), Why: err.Error(), Err: err}
	}
	for s.Scan() {
		line++
		words := strings.Fields(s.Text())
		if len(words) == 0 || words[0] == "#" && !(len(words) > 1 && words[1] == "nodes") {
			continue
		}
		if err := l.read(words, line, r); err != nil {
			return nil, fail(err)
		}
	}
	if err := s.Err(); err != nil {
		line++
		return nil, fail(err)
	}
	m := make(Mapping, tasks)
	for t := range m {
		n, ok := r.at[t]
		if !ok {
			return nil, fail(fmt.Errorf("rank %d has no node", t))
		}
		m[t] = n
	}
	if len(r.at) > tasks {
		return nil, fail(fmt.Errorf("%d tasks, but the program has %d", len(r.at), tasks))
	}
	return m, nil
}

func (r *reading) set(task, node int) error {
	if _, ok := r.at[task]; ok {
		return fmt.Errorf("rank %d has a node already", task)
	}
	r.at[task] = node
	return nil
}

func number(word string) (int, error) {
	n, err := strconv.ParseUint(word, 10, 20)
	if err != nil {
		return 0, fmt.Errorf("%q must be a number >= 0", word)
	}
	return int(n), nil
}

// readList takes "node" for the next rank, or "rank node".
func readList(words []string, _ int, r *reading) error {
	task := len(r.at)
	if len(words) > 2 {
		return fmt.Errorf("a line is NODE, or RANK NODE")
	}
	node, err := number(words[len(words)-1])
	if err == nil && len(words) == 2 {
		task, err = number(words[0])
	}
	if err != nil {
		return err
	}
	return r.set(task, node)
}

func readRankfile(words []string, _ int, r *reading) error {
	usage := fmt.Errorf("a line is rank N=HOST slot=N")
	if len(words) < 2 || words[0] != "rank" {
		return usage
	}
	rank, host, ok := strings.Cut(words[1], "=")
	if !ok {
		return usage
	}
	task, err := number(rank)
	if err != nil {
		return err
	}
	node, err := r.hosts.node(host)
	if err != nil {
		return err
	}
	return r.set(task, node)
}

func readHostfile(words []string, _ int, r *reading) error {
	node, err := r.hosts.node(words[0])
	if err != nil {
		return err
	}
	return r.set(len(r.at), node)
}

// readOrder needs the comment that lists the nodes, in the form that Write writes.
func readOrder(words []string, _ int, r *reading) error {
	if words[0] == "#" {
		for _, w := range words[2:] {
			n, err := r.hosts.node(w)
			if err != nil {
				return err
			}
			r.nodes = append(r.nodes, n)
		}
		return nil
	}
	if len(r.nodes) == 0 {
		return fmt.Errorf("the nodes are missing: a line \"# nodes NAME...\"")
	}
	for _, w := range strings.FieldsFunc(strings.Join(words, ","), func(c rune) bool { return c == ',' }) {
		task, err := number(w)
		if err != nil {
			return err
		}
		r.ranks = append(r.ranks, task)
	}
	per := perNode(len(r.ranks), len(r.nodes))
	r.at = map[int]int{}
	for i, task := range r.ranks {
		if err := r.set(task, r.nodes[i/per]); err != nil {
			return err
		}
	}
	return nil
}
