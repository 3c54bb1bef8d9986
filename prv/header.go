package prv

import (
	"pview/prv/model"

	"fmt"
	"math"
	"strconv"
	"strings"
)

// The first line of a .prv (paraver-today.md 1.1):
//
//	#Paraver (date):end[_unit]:resources:appls:appl{,appl}[,comms]
//	resources := 0 | N | N(cpus,cpus,...)
//	appl      := tasks(threads:node,threads:node,...)
//
// Applications are separated by a comma (Extrae) or a colon (the thesis), and each may be followed by a count of
// communicator lines. Every number is a mere claim, checked before anything is sized by it.
//
// Some tools write variants, which Paraver reads as well: tasks:(threads:node,...) (nsys2prv), an end time with
// decimals, blanks around numbers, #PARAVER.

// headerMark begins the first line of every trace.
const headerMark = "#Paraver"

// maxObjects bounds the threads, and the CPUs, that a header may claim beyond the number that the file has records for:
// a short file that claims 10^12 tasks costs nothing. model.MostObjects bounds them for any file size.
const maxObjects = 1 << 20

// headerParser walks along the text of a header.
type headerParser struct {
	s       string
	i       int
	limit   int64 // of threads, and of CPUs
	comms   int64 // communicator lines announced
	threads int64
	notes   []string
}

// parseHeader reads a header line (without its line end). size is the length of the trace's text, or an upper bound; it
// limits the header's claims. comms is the number of communicator lines that must follow.
func parseHeader(line string, size int64) (h Header, comms int64, err error) {
	for _, k := range strangers {
		if strings.HasPrefix(line, k.mark) {
			return h, 0, fmt.Errorf("not a trace: %s", k.what)
		}
	}
	if !hasMark(line) {
		return h, 0, fmt.Errorf("not a Paraver trace: the first line does not begin with %q", headerMark)
	}
	open, shut := strings.IndexByte(line, '('), strings.IndexByte(line, ')')
	if colon := strings.IndexByte(line, ':'); open < 0 || shut < open || 0 <= colon && colon < open {
		return h, 0, broken("no date in parentheses behind %s", headerMark)
	}
	if date := line[open+1 : shut]; strings.Contains(date, "(") {
		return h, 0, broken("no ) behind the date: %s", model.Quote(date))
	}
	h.Date = Clean(line[open+1 : shut])
	p := &headerParser{s: line, i: shut + 1, limit: min(max(maxObjects, size/8), model.MostObjects)}
	if err := p.parse(&h); err != nil {
		return h, 0, err
	}
	h.Notes = p.notes
	return h, p.comms, nil
}

// strangers are files of other kinds opened by mistake, by the start of their first line.
var strangers = []struct{ mark, what string }{
	{"#DIMEMAS_CONFIGURATION", "it is a Dimemas configuration, the machine of a simulation (--machine)"},
	{"#ParaverCFG", "it is a Paraver configuration: windows to open on a trace"},
	{"#DIMEMAS:", "it is the program of a simulation (.dim)"},
	{"DEFAULT_OPTIONS", "it is the .pcf of a trace, its labels"},
	{"LEVEL ", "it is the .row of a trace, its names"},
}

// byteOrderMark starts files in UTF-8 that some editors write.
const byteOrderMark = "\ufeff"

// hasMark reports whether a line begins like the first line of a trace.
func hasMark(line string) bool {
	line = strings.TrimPrefix(line, byteOrderMark)
	return len(line) >= len(headerMark) && strings.EqualFold(line[:len(headerMark)], headerMark)
}

// newFormat is a line that may come before the header.
const newFormat = "new format"

// longestMark is the number of bytes that decide whether a file can be a trace.
const longestMark = max(len(byteOrderMark+headerMark), len(newFormat))

// hasFirstLine reports whether a file with this start can be a trace.
func hasFirstLine(begin []byte) bool {
	text := string(begin[:min(len(begin), longestMark)])
	return hasMark(text) || strings.HasPrefix(text, newFormat)
}

// mayGetMark reports whether a file with this start is a trace, or may become one as it grows.
func mayGetMark(begin string) bool {
	starts := func(mark string) bool { return len(begin) < len(mark) && strings.EqualFold(begin, mark[:len(begin)]) }
	return hasMark(begin) || starts(headerMark) || starts(byteOrderMark+headerMark)
}

func broken(format string, args ...any) error {
	return fmt.Errorf("broken header: "+format, args...)
}

func (p *headerParser) parse(h *Header) error {
	if err := p.expect(':', "the date"); err != nil {
		return err
	}
	end, err := p.endTime()
	if err != nil {
		return err
	}
	h.End, h.Unit = end, p.unit()
	if err := p.expect(':', "the end time"); err != nil {
		return err
	}
	nodesOnly, err := p.resources(&h.Resources)
	if err != nil {
		return err
	}
	if err := p.expect(':', "the resources"); err != nil {
		return err
	}
	return p.ptasks(&h.Resources, nodesOnly)
}

// endTime reads the end of the trace. Some tools write it as a floating-point number: 1234.0, 1.5e+09. The fraction is
// dropped.
func (p *headerParser) endTime() (int64, error) {
	p.blanks()
	from := p.i
	for p.i < len(p.s) && strings.IndexByte("0123456789.eE+-", p.s[p.i]) >= 0 {
		p.i++
	}
	text := p.s[from:p.i]
	if !strings.ContainsAny(text, ".eE") {
		p.i = from
		return p.number("the end time")
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 0 || v >= math.MaxInt64 {
		return 0, broken("the end time is not a number from 0 to 2^63-1: %s", model.Quote(p.s[from:]))
	}
	if whole, _, _ := strings.Cut(text, "."); !strings.ContainsAny(text, "eE") {
		if n, err := strconv.ParseInt(whole, 10, 64); err == nil { // exact above 2^53 as well
			return n, nil
		}
	}
	return int64(v), nil
}

// unit reads the unit of time, which may be missing.
func (p *headerParser) unit() Unit {
	from := p.i
	if p.blanks(); p.peek() != '_' {
		p.i = from
		return Microseconds
	}
	from = p.i
	for p.i < len(p.s) && p.s[p.i] != ':' {
		p.i++
	}
	switch text := strings.TrimRight(p.s[from:p.i], " \t"); text {
	case "_ns":
		return Nanoseconds
	case "_ms":
		return Milliseconds
	case "_us":
	default:
		p.notes = append(p.notes,
			fmt.Sprintf("the unit of times %q is not _ns, _us or _ms: taken as microseconds, as Paraver does",
				Clean(text)))
	}
	return Microseconds
}

// resources reads the nodes and their CPUs. bare is set if the CPUs are not given: each node has one.
func (p *headerParser) resources(r *Resources) (bare bool, err error) {
	if p.blanks(); p.peek() == '0' {
		for p.i < len(p.s) && p.s[p.i] != ':' {
			p.i++
		}
		return false, nil
	}
	n, err := p.number("the number of nodes")
	if err != nil {
		return false, err
	}
	if p.peek() != '(' {
		if n > p.limit {
			return false, broken("it claims %d nodes, more than the file can speak of", n)
		}
		for range n {
			r.AddNode(1)
		}
		return true, nil
	}
	total := int64(0)
	for {
		p.i++ // over the ( or ,
		c, err := p.number("the CPUs of node %d", len(r.Nodes)+1)
		if err != nil {
			return false, err
		}
		if total += c; c > p.limit || total > p.limit {
			return false, broken("it claims %d CPUs, more than the file can speak of", max(c, total))
		}
		r.AddNode(int(c))
		if p.peek() != ',' {
			break
		}
	}
	if err := p.expect(')', "the CPUs of the nodes"); err != nil {
		return false, err
	}
	if int64(len(r.Nodes)) != n {
		return false, broken("it announces %d nodes and lists %d", n, len(r.Nodes))
	}
	return false, nil
}

// ptasks reads the applications and the announcement of communicator lines.
func (p *headerParser) ptasks(r *Resources, bareNodes bool) error {
	n, err := p.number("the number of applications")
	if err != nil {
		return err
	}
	if n < 1 {
		return broken("invalid number of applications: %d", n)
	}
	if err := p.expect(':', "the number of applications"); err != nil {
		return err
	}
	for k := int64(1); k <= n; k++ {
		if k > 1 {
			if c := p.peek(); c != ',' && c != ':' {
				return broken("it announces %d applications and lists %d", n, k-1)
			}
			p.i++
		}
		if err := p.ptask(r, k, bareNodes); err != nil {
			return err
		}
		if err := p.communicators(); err != nil {
			return err
		}
	}
	if rest := strings.TrimRight(p.s[p.i:], " \t:"); rest != "" {
		return broken("unexpected text %s after the last application", model.Quote(rest))
	}
	return nil
}

// communicators reads ",K" after an application, if there is one: a number before a parenthesis is the next
// application.
func (p *headerParser) communicators() error {
	if p.peek() != ',' {
		return nil
	}
	at := p.i
	p.i++
	k, err := p.number("the number of communicators")
	if err != nil {
		return err
	}
	if p.atTasks() {
		p.i = at
		return nil
	}
	if k > math.MaxInt64-p.comms {
		return broken("the number of communicators is too large")
	}
	p.comms += k
	return nil
}

func (p *headerParser) ptask(r *Resources, k int64, bareNodes bool) error {
	tasks, err := p.number("the number of tasks of application %d", k)
	if err != nil {
		return err
	}
	if tasks < 1 {
		return broken("invalid number of tasks of application %d: %d", k, tasks)
	}
	if !p.atTasks() {
		return broken("the list of tasks of application %d is missing", k)
	}
	if p.peek() == ':' {
		p.i++
	}
	r.AddPtask()
	for t := int64(1); ; t++ {
		p.i++ // over the ( or ,
		if err := p.task(r, k, t, bareNodes); err != nil {
			return err
		}
		if p.peek() == ',' {
			continue
		}
		if err := p.expect(')', "task %d of application %d", t, k); err != nil {
			return err
		}
		if t != tasks {
			return broken("application %d announces %d tasks and lists %d", k, tasks, t)
		}
		return nil
	}
}

func (p *headerParser) task(r *Resources, k, t int64, bareNodes bool) error {
	threads, err := p.number("the number of threads of task %d of application %d", t, k)
	if err != nil {
		return err
	}
	if threads < 1 {
		return broken("invalid number of threads of task %d of application %d: %d", t, k, threads)
	}
	if p.threads += threads; threads > p.limit || p.threads > p.limit {
		return broken("it claims %d threads, more than the file can speak of", max(threads, p.threads))
	}
	if err := p.expect(':', "the number of threads of task %d of application %d", t, k); err != nil {
		return err
	}
	node, err := p.number("the node of task %d of application %d", t, k)
	if err != nil {
		return err
	}
	if len(r.Nodes) == 0 {
		// Without resource information the node has no meaning.
		r.AddTask(int(threads), -1)
		return nil
	}
	if bareNodes && node > int64(len(r.Nodes)) && node <= p.limit {
		// A plain number below the node's is a number of CPUs, which the thesis also allows here; the tasks name the
		// nodes.
		for int64(len(r.Nodes)) < node {
			r.AddNode(1)
		}
	}
	if node < 1 || node > int64(len(r.Nodes)) {
		return broken("task %d of application %d is on node %d of %d", t, k, node, len(r.Nodes))
	}
	r.AddTask(int(threads), int(node-1))
	return nil
}

// atTasks reports whether a list of tasks begins here, with or without a colon before it.
func (p *headerParser) atTasks() bool {
	return p.peek() == '(' || strings.HasPrefix(p.s[p.i:], ":(")
}

// peek returns the current byte, 0 at the end.
func (p *headerParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// blanks steps over blanks.
func (p *headerParser) blanks() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.i++
	}
}

// expect steps over a separator; if it is missing, format and args name the text before it for the error.
func (p *headerParser) expect(c byte, format string, args ...any) error {
	if p.blanks(); p.peek() != c {
		after := fmt.Sprintf(format, args...)
		if p.i >= len(p.s) {
			return broken("the line ends after %s, where %q must follow", after, c)
		}
		return broken("%q must follow %s, not %s", c, after, model.Quote(p.s[p.i:]))
	}
	p.i++
	return nil
}

// number reads a number with surrounding blanks; if it is missing, format and args name it for the error.
func (p *headerParser) number(format string, args ...any) (int64, error) {
	what := func() string { return fmt.Sprintf(format, args...) }
	p.blanks()
	from := p.i
	for p.i < len(p.s) && p.s[p.i]-'0' <= 9 {
		p.i++
	}
	if from == p.i {
		if from == len(p.s) {
			return 0, broken("the line ends where %s must stand", what())
		}
		return 0, broken("%s is not a number: %s", what(), model.Quote(p.s[from:]))
	}
	v, err := strconv.ParseInt(p.s[from:p.i], 10, 64)
	if err != nil {
		return 0, broken("%s is too large: %s", what(), model.Shorten(p.s[from:p.i]))
	}
	p.blanks()
	return v, nil
}
