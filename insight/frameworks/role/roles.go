package role

// Roles files, in which the user gives each task's role. One statement per line:
//
//	ptask 1
//	kind master-worker          # or pipeline
//	master 1
//	workers 2-11,13
//	stage 1                     # of a pipeline, in order
//	stage cm=2 replicas=3-5
//	iteration event TYPE[=VALUE]
//	compute event TYPE=VALUE
//	tasks event TYPE[=VALUE]    # begins a task of a chunk
//	prefetch 1                  # chunks that a worker has in reserve
//	m0 0.02                     # ms
//	lambda 1e-5                 # ms per byte
//	protocol async              # or sync
//
// Tasks are numbered from 1 within the ptask, as in Paraver.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
)

// Protocol says whether a send waits for its receiver.
type Protocol uint8

// The protocols.
const (
	Async Protocol = iota // the data is buffered: the sender continues immediately
	Sync                  // the sender is held up for the transfer
)

// String returns the protocol in a word.
func (p Protocol) String() string { return [...]string{"async", "sync"}[p] }

// EventMatch is an event type, with a value or any but 0.
type EventMatch struct {
	Type  uint32
	Value int64
	Any   bool
}

// Has reports whether an event matches.
func (e *EventMatch) Has(typ uint32, value int64) bool {
	return typ == e.Type && (e.Any && value != 0 || !e.Any && value == e.Value)
}

// Statements are the parts of a roles file other than roles.
type Statements struct {
	Iteration *EventMatch // begins an iteration, on the master
	Compute   *EventMatch // brackets the work of a worker; value 0 ends it
	TaskEvent *EventMatch // begins a task on a worker; a chunk may have several
	Prefetch  int         // chunks that a worker has in addition to the current one
	M0        *float64    // ns
	PerByte   *float64    // ns
	Protocol  *Protocol
}

// Open reads a roles file for a trace.
func Open(path string, t *prv.Trace) (*Roles, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(path, f, t)
}

// rolesReader is the state of a file being read.
type rolesReader struct {
	r     *Roles
	t     *prv.Trace
	taken map[int32]bool
}

// statement reads the rest of a line.
type statement struct {
	name, usage string
	read        func(p *rolesReader, words []string) error
}

var statements = []statement{
	{"ptask", "ptask N", (*rolesReader).ptask},
	{"kind", "kind master-worker|pipeline", (*rolesReader).kind},
	{"master", "master TASK", (*rolesReader).master},
	{"workers", "workers LIST", (*rolesReader).workers},
	{"stage", "stage TASK, or stage cm=TASK replicas=LIST", (*rolesReader).stage},
	{"iteration", "iteration event TYPE[=VALUE]", func(p *rolesReader, w []string) (err error) {
		p.r.Iteration,
			err = event(w)
		return err
	}},
	{"compute", "compute event TYPE[=VALUE]",
		func(p *rolesReader, w []string) (err error) { p.r.Compute, err = event(w); return err }},
	{"tasks", "tasks event TYPE[=VALUE]", func(p *rolesReader, w []string) (err error) {
		p.r.TaskEvent,
			err = event(w)
		return err
	}},
	{"prefetch", "prefetch N", (*rolesReader).prefetch},
	{"m0", "m0 MS", func(p *rolesReader, w []string) (err error) { p.r.M0, err = milliseconds(w); return err }},
	{"lambda", "lambda MS_PER_BYTE", func(p *rolesReader, w []string) (err error) {
		p.r.PerByte,
			err = milliseconds(w)
		return err
	}},
	{"protocol", "protocol async|sync", (*rolesReader).protocol},
}

// read reads the text of a roles file. Errors name file and line.
func read(name string, in io.Reader, t *prv.Trace) (*Roles, error) {
	p := &rolesReader{r: &Roles{Told: true, Master: -1}, t: t, taken: map[int32]bool{}}
	lines := bufio.NewScanner(in)
	n := 0
	for lines.Scan() {
		n++
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		k := slices.IndexFunc(statements, func(s statement) bool { return s.name == words[0] })
		if k < 0 {
			return nil, fmt.Errorf("%s:%d: %q is no statement; there are: %s", name, n, words[0],
				strings.Join(statementNames(), ", "))
		}
		if err := statements[k].read(p, words[1:]); err != nil {
			return nil, fmt.Errorf("%s:%d: %w (%s)", name, n, err, statements[k].usage)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := p.r.complete(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p.r, nil
}

func statementNames() (list []string) {
	for _, s := range statements {
		list = append(list, s.name)
	}
	return list
}

func (r *Roles) complete() error {
	if r.Kind == Unknown && len(r.Stages) > 0 {
		r.Kind = PipelineOf
	} else if r.Kind == Unknown && r.Master >= 0 {
		r.Kind = MasterWorker
	}
	switch {
	case r.Kind == Unknown:
		return fmt.Errorf("it names neither a master and its workers nor stages")
	case r.Kind == MasterWorker && (r.Master < 0 || len(r.Workers) < 1):
		return fmt.Errorf("a master-worker program needs the statements master and workers")
	case r.Kind == PipelineOf && len(r.Stages) < 2:
		return fmt.Errorf("a pipeline needs at least two stages")
	}
	return nil
}

func one(words []string) (string, error) {
	if len(words) != 1 {
		return "", fmt.Errorf("one word is needed, not %d", len(words))
	}
	return words[0], nil
}

func (p *rolesReader) ptask(words []string) error {
	w, err := one(words)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 || n > len(p.t.Ptasks) {
		return fmt.Errorf("there is no ptask %s: the trace has %d", w, len(p.t.Ptasks))
	}
	if len(p.taken) > 0 {
		return fmt.Errorf("ptask must stand before the tasks")
	}
	p.r.Ptask = n - 1
	return nil
}

func (p *rolesReader) kind(words []string) error {
	w, err := one(words)
	if err != nil {
		return err
	}
	for _, k := range []Kind{MasterWorker, PipelineOf} {
		if w == k.String() {
			p.r.Kind = k
			return nil
		}
	}
	return fmt.Errorf("%q is no kind", w)
}

func (p *rolesReader) master(words []string) error {
	list, err := p.tasks(words)
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("there is one master")
	}
	if err == nil {
		p.r.Master = list[0]
	}
	return err
}

func (p *rolesReader) workers(words []string) error {
	list, err := p.tasks(words)
	p.r.Workers = append(p.r.Workers, list...)
	return err
}

func (p *rolesReader) stage(words []string) error {
	var s StageRoles
	for _, w := range words {
		key, value, named := strings.Cut(w, "=")
		if !named {
			key, value = "cm", w
		}
		list, err := p.tasks([]string{value})
		switch {
		case err != nil:
			return err
		case key == "cm" && len(list) == 1:
			s.Task = list[0]
		case key == "replicas" && len(list) > 0:
			s.Replicas = list
		default:
			return fmt.Errorf("%q is neither a task, cm=TASK nor replicas=LIST", w)
		}
	}
	if len(words) == 0 {
		return fmt.Errorf("the stage has no task")
	}
	p.r.Stages = append(p.r.Stages, s)
	return nil
}

func (p *rolesReader) prefetch(words []string) error {
	w, err := one(words)
	if err != nil {
		return err
	}
	if p.r.Prefetch, err = strconv.Atoi(w); err != nil || p.r.Prefetch < 0 || p.r.Prefetch > 1<<20 {
		return fmt.Errorf("%q must be a number of chunks >= 0", w)
	}
	return nil
}

func (p *rolesReader) protocol(words []string) error {
	w, err := one(words)
	for _, x := range []Protocol{Async, Sync} {
		if w == x.String() {
			p.r.Protocol = &x
			return nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%q is no protocol", w)
	}
	return err
}

// tasks reads a list as 2-11,13. No task has two roles.
func (p *rolesReader) tasks(words []string) (list []int32, err error) {
	of := p.t.Ptasks[p.r.Ptask]
	for _, part := range strings.Split(strings.Join(words, ","), ",") {
		a, b, ranged := strings.Cut(part, "-")
		from, err := strconv.Atoi(a)
		to := from
		if err == nil && ranged {
			to, err = strconv.Atoi(b)
		}
		if err != nil || to < from {
			return nil, fmt.Errorf("%q is no task and no range of tasks", part)
		}
		if from < 1 || to > int(of.Tasks) {
			return nil, fmt.Errorf("there is no task %s: ptask %d has %d", part, p.r.Ptask+1, of.Tasks)
		}
		for n := from; n <= to; n++ {
			task := of.FirstTask + int32(n) - 1
			if p.taken[task] {
				return nil, fmt.Errorf("task %d has two roles", n)
			}
			p.taken[task] = true
			list = append(list, task)
		}
	}
	return list, nil
}

func event(words []string) (*EventMatch, error) {
	if len(words) != 2 || words[0] != "event" {
		return nil, fmt.Errorf("the words event TYPE are needed")
	}
	return ParseEvent(words[1])
}

// ParseEvent reads TYPE or TYPE=VALUE.
func ParseEvent(text string) (*EventMatch, error) {
	typ, value, named := strings.Cut(text, "=")
	n, err := strconv.ParseUint(typ, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("%q is no event type", typ)
	}
	e := &EventMatch{Type: uint32(n), Any: !named}
	if named {
		if e.Value, err = strconv.ParseInt(value, 10, 64); err != nil {
			return nil, fmt.Errorf("%q is no event value", value)
		}
	}
	return e, nil
}

func milliseconds(words []string) (*float64, error) {
	w, err := one(words)
	if err != nil {
		return nil, err
	}
	v, err := strconv.ParseFloat(w, 64)
	if err != nil || !(v >= 0 && v < 1e12) {
		return nil, fmt.Errorf("%q must be a number of ms >= 0", w)
	}
	v *= 1e6
	return &v, nil
}

// Write writes roles as a file that Open reads.
func Write(w io.Writer, r *Roles, t *prv.Trace) error {
	first := t.Ptasks[r.Ptask].FirstTask
	list := func(tasks []int32) string { return Ranges(tasks, first) }
	var b strings.Builder
	fmt.Fprintf(&b, "ptask %d\nkind %s\n", r.Ptask+1, r.Kind)
	if r.Kind == MasterWorker {
		fmt.Fprintf(&b, "master %s\nworkers %s\n", list([]int32{r.Master}), list(r.Workers))
	}
	for _, s := range r.Stages {
		if len(s.Replicas) == 0 {
			fmt.Fprintf(&b, "stage %s\n", list([]int32{s.Task}))
		} else {
			fmt.Fprintf(&b, "stage cm=%s replicas=%s\n", list([]int32{s.Task}), list(s.Replicas))
		}
	}
	for _, e := range []struct {
		name string
		is   *EventMatch
	}{{"iteration", r.Iteration}, {"compute", r.Compute}, {"tasks", r.TaskEvent}} {
		switch {
		case e.is == nil:
		case e.is.Any:
			fmt.Fprintf(&b, "%s event %d\n", e.name, e.is.Type)
		default:
			fmt.Fprintf(&b, "%s event %d=%d\n", e.name, e.is.Type, e.is.Value)
		}
	}
	if r.Prefetch > 0 {
		fmt.Fprintf(&b, "prefetch %d\n", r.Prefetch)
	}
	for _, v := range []struct {
		name string
		is   *float64
	}{{"m0", r.M0}, {"lambda", r.PerByte}} {
		if v.is != nil {
			fmt.Fprintf(&b, "%s %g\n", v.name, *v.is/1e6)
		}
	}
	if r.Protocol != nil {
		fmt.Fprintf(&b, "protocol %s\n", *r.Protocol)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Ranges writes tasks as in Paraver: 2-5,7.
func Ranges(tasks []int32, first int32) string {
	var words []string
	for i := 0; i < len(tasks); {
		k := i
		for k+1 < len(tasks) && tasks[k+1] == tasks[k]+1 {
			k++
		}
		word := strconv.Itoa(int(tasks[i]-first) + 1)
		if k > i {
			word += "-" + strconv.Itoa(int(tasks[k]-first)+1)
		}
		words = append(words, word)
		i = k + 1
	}
	return strings.Join(words, ",")
}
