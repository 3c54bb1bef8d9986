package charm

// The .sts: the names of chares, entry methods and user events, the machine, and the version of the logs.

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// mostPEs bounds the number of PEs that a .sts may claim.
const mostPEs = 1 << 20

// newest is the newest known version; later ones are read like it.
const newest = 11.0

// run holds the contents of the .sts.
type run struct {
	path          string
	version       float64
	pes           int
	nodeSize      int // PEs of a node; 0: each PE by itself
	nodes         int
	papi          []string
	chares        map[int64]chare
	entries       map[int64]entry
	events, stats map[int64]string
	notes         []string
}

type chare struct {
	name string
	dims int
}

type entry struct {
	name  string
	chare int64
}

// openNames reads a .sts.
func openNames(path string) (*run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &run{path: path, chares: map[int64]chare{}, entries: map[int64]entry{}, events: map[int64]string{},
		stats: map[int64]string{}}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for line := 1; in.Scan(); line++ {
		key, rest, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		if key == "END" {
			break
		}
		if read, ok := keywords[key]; ok {
			if err := read(r, strings.TrimSpace(rest)); err != nil {
				return nil, fmt.Errorf("%s:%d: %s %s", path, line, key, err)
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r.pes == 0 {
		return nil, fmt.Errorf("%s: no PROCESSORS line: not the names of a Projections log, or cut off", path)
	}
	if r.nodeSize*r.nodes > r.pes {
		r.nodeSize, r.nodes = 0, 0
	}
	return r, nil
}

// keywords are the lines that are read; others are skipped.
var keywords = map[string]func(r *run, rest string) error{
	"VERSION":    (*run).readVersion,
	"PROCESSORS": (*run).readProcessors,
	"SMPMODE":    (*run).readNodes,
	"CHARE":      (*run).readChare,
	"BOC":        (*run).readChare,
	"ENTRY":      (*run).readEntry,
	"EVENT":      func(r *run, rest string) error { return name(r.events, rest) },
	"STAT":       func(r *run, rest string) error { return name(r.stats, rest) },
	"PAPI_EVENT": (*run).readCounter,
}

func (r *run) readVersion(rest string) error {
	v, err := strconv.ParseFloat(rest, 64)
	if err != nil {
		return fmt.Errorf("%q: must be a number", rest)
	}
	if r.version = v; v > newest {
		r.notes = append(r.notes, fmt.Sprintf("version %s of the logs is newer than %.1f, and read like it", rest,
			newest))
	}
	return nil
}

func (r *run) readProcessors(rest string) error {
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > mostPEs {
		return fmt.Errorf("%q: must be a number from 1 to %d", rest, mostPEs)
	}
	r.pes = n
	return nil
}

func (r *run) readNodes(rest string) error {
	f := strings.Fields(rest)
	if len(f) < 2 {
		return fmt.Errorf("%q: must be two numbers", rest)
	}
	size, err1 := strconv.Atoi(f[0])
	nodes, err2 := strconv.Atoi(f[1])
	if err1 != nil || err2 != nil || size < 1 || nodes < 1 || size > mostPEs || nodes > mostPEs {
		return fmt.Errorf("%q: must be two numbers >= 1", rest)
	}
	r.nodeSize, r.nodes = size, nodes
	return nil
}

// readChare reads "id name [dims]": the name is quoted from version 10 on, dims are there from 9 on.
func (r *run) readChare(rest string) error {
	id, rest, err := number(rest)
	if err != nil {
		return err
	}
	c := chare{dims: -1}
	if i := strings.LastIndexByte(rest, ' '); r.version >= 9 && i >= 0 {
		if n, err := strconv.Atoi(rest[i+1:]); err == nil {
			c.dims, rest = n, strings.TrimSpace(rest[:i])
		}
	}
	c.name = unquote(rest)
	r.chares[id] = c
	return nil
}

// readEntry reads "CHARE id name chare msg": the name may hold blanks.
func (r *run) readEntry(rest string) error {
	_, rest, _ = strings.Cut(rest, " ")
	id, rest, err := number(rest)
	if err != nil {
		return err
	}
	f := strings.Fields(rest)
	if len(f) < 3 {
		return fmt.Errorf("%q: name, chare and message are missing", rest)
	}
	owner, err := strconv.ParseInt(f[len(f)-2], 10, 64)
	if err != nil {
		return fmt.Errorf("%q: must be the number of a chare", f[len(f)-2])
	}
	r.entries[id] = entry{unquote(strings.Join(f[:len(f)-2], " ")), owner}
	return nil
}

func (r *run) readCounter(rest string) error {
	i, rest, err := number(rest)
	if err != nil {
		return err
	}
	for int64(len(r.papi)) <= i && i < 1000 {
		r.papi = append(r.papi, "")
	}
	if i >= 0 && i < int64(len(r.papi)) {
		r.papi[i] = rest
	}
	return nil
}

// name reads "id name": the first name counts.
func name(to map[int64]string, rest string) error {
	id, rest, err := number(rest)
	if err != nil {
		return err
	}
	if _, ok := to[id]; !ok {
		to[id] = rest
	}
	return nil
}

// number reads a number and returns the rest.
func number(s string) (n int64, rest string, err error) {
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	if n, err = strconv.ParseInt(first, 10, 64); err != nil {
		return 0, "", fmt.Errorf("%q: must be a number", first)
	}
	return n, strings.TrimSpace(rest), nil
}

func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// entryName returns "Chare::entry", without the parameters.
func (r *run) entryName(id int64) string {
	e, ok := r.entries[id]
	if !ok {
		return fmt.Sprintf("entry %d", id)
	}
	name, _, _ := strings.Cut(e.name, "(")
	if c, ok := r.chares[e.chare]; ok {
		return c.name + "::" + name
	}
	return name
}

// dims returns the number of dimensions of the array that an entry belongs to; -1 for none.
func (r *run) dims(entry int64) int {
	if e, ok := r.entries[entry]; ok {
		if c, ok := r.chares[e.chare]; ok {
			return c.dims
		}
	}
	return -1
}

// library are name prefixes of chares that belong to the runtime system.
var library = []string{"Ck", "Tempo", "Future", "waitqd", "Trace", "KMeans", "dummy_", "LBManager", "SDAG"}

// isLibrary reports whether an entry belongs to the runtime system.
func (r *run) isLibrary(id int64) bool {
	e, ok := r.entries[id]
	if !ok {
		return false
	}
	name := r.chares[e.chare].name
	switch name {
	case "", "null", "Chare", "Group":
		return true
	}
	for _, prefix := range library {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasSuffix(name, "LB")
}
