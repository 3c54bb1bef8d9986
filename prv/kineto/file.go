package kineto

// Reading a file into columns: the spans of each row of the host, the operations of each stream, calls, instants,
// counters and flows. Names are numbered. Keys of the file may come after the events, so conclusions wait for its end.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"pview/prv"
	"pview/prv/extrae/device"
)

// span is something on a row of the host, [begin, end) in ns.
type span struct {
	begin, end int64
	name       int32
	class      class
	blocks     bool // a call that waits for the device
}

// point is an instant, or a sample of a counter.
type point struct {
	time, value int64
	name        int32 // of the instant, or of the counter
	kind        uint8
}

// Kinds of points.
const (
	instantPoint = iota
	deviceMemory // value: bytes; name: allocated or reserved
	reservedMemory
	hostMemory
	counterPoint
)

// row is a thread, by process and thread number of the file.
type row struct {
	process, thread string
	spans           []span
	open            []span // begun, not yet ended
	bounds          []bound
	points          []point
	operations      []announced
	events          []typedEvent
	apart           bool // after the streams, named as its thread
}

// announced is a collective operation known from an annotation around its launch.
type announced struct {
	begin, end, bytes int64
	operation         int64
}

// operation is work of a device.
type operation struct {
	begin, end, correlation, bytes int64
	name, stream                   int32
	shape                          int32 // in file.shapes, -1: none
	part                           int32 // in file.parts, -1: none
	state                          uint8
}

// shape is the size of a kernel.
type shape struct {
	size              [6]int64 // grid x, y, z, block x, y, z
	shared, registers int64
}

// part is the part of a rank in a communication operation.
type part struct {
	operation           int64
	group               int32 // in file.groups, -1: unknown
	in, out             int64 // bytes, -1: unknown
	source, destination int64 // ranks of a point to point operation; -1: unknown
	sequence            int64 // -1: unknown
	turn                int64 // number in its group, from 0: equal on the ranks that take part
	id                  int32 // of the group in the run
}

// group is a process group of a file.
type group struct {
	name, text string
	members    []int64
	size       int64
}

// launch is a call, with the correlation of the work it starts.
type launch struct {
	begin, end  int64
	row, span   int32
	correlation int64
}

// link is one end of a flow.
type link struct {
	time  int64
	key   int32 // of category and id
	row   int32
	phase byte
}

// problem is a kind of damage.
type problem int

const (
	noEvent problem = iota
	noNumber
	negative
	duplicate
	endOnly
	farAway
	beginOnly
	overlapping
	unknownPhase
	longName
	numProblems
)

// problems describe how damaged records are treated, in the notes: the record, and its treatment. Those up to farAway
// are left out; with strict they are errors.
var problems = [numProblems]struct{ one, rest string }{
	noEvent:      {"item", "without an event left out"},
	noNumber:     {"event", "left out: a time is missing or not a number"},
	negative:     {"event", "of negative length left out"},
	duplicate:    {"repeated operation", "of a device left out"},
	endOnly:      {"end", "without a begin left out"},
	farAway:      {"event", "left out: more than a day away from the others"},
	beginOnly:    {"begin", "without an end, taken to end with the thread"},
	overlapping:  {"function", "partly inside another, cut at its end"},
	unknownPhase: {"event", "of an unknown phase left out"},
	longName:     {"name", "of more than 64 KB cut"},
}

// damage counts a kind of problem and keeps the first.
type damage struct {
	count int64
	first string
}

// file holds the columns of one file. Times are in ns from its base; offset moves them to the axis of the run.
type file struct {
	path   string
	strict bool
	header
	title string  // of the task, "": by its rank
	kinds []*Kind // see Rank
	cut   string  // why the file ends early

	rows         []row
	rowOf        map[string]int32
	names        []string
	nameOf       map[string]int32 // by text as in the file
	textOf       map[string]int32
	kernelStates []uint8 // by name, 0: not yet known
	category     map[string]class
	unknowns     map[string]bool // unknown categories
	streams      []device.Stream
	streamOf     map[device.Stream]int32
	work         []operation
	shapes       []shape
	shapeNumber  map[shape]int32
	parts        []part
	groups       []group
	groupOf      map[string]int32
	calls        []launch
	annotated    [][]span // device annotations, by stream
	awaits       []await
	links        []link
	linkOf       map[string]int32
	records      []span            // of the profiler
	labels       map[string]string // of processes
	processes    map[string]string // names
	threads      map[string]string // names, by key of rowOf
	counters     []counter
	counterOf    map[string]int32
	kind         string // of device: "CUDA"
	windowEnd    int64  // end of the record according to the profiler, 0: unknown
	profiler     bool   // written by a profiler, not by another tool
	unread       bool   // represents a file that is not read yet: see parts
	overheads    int64  // left out
	first        int64  // of all times
	last         int64
	damaged      [numProblems]damage
	err          error // the first damage, if strict
	callOf       callIndex
	ahead        int64              // how far its clock is ahead of the run's, if that is corrected
	offset       int64              // added to its times on the axis of the run
	valueOf      map[uint32][]int64 // of names, by event type
	hostThread   []int32            // of the run, by row; -1: not one of the host
	key          []byte
	lastRow      int32
	lastRowKey   []byte
}

// counter is a series of a counter event.
type counter struct {
	name      string
	precision int // decimals
}

// header describes the file and its run, from the members other than events.
type header struct {
	schema     string
	base       int64
	rank       int64 // -1: unknown
	world      int64 // 0: unknown
	host       string
	warnings   []string
	configured []group
}

// configuration is the part of a header that describes the run.
type configuration struct {
	Rank   *int64 `json:"rank"`
	World  int64  `json:"world_size"`
	Groups []struct {
		Name  string          `json:"pg_name"`
		Text  string          `json:"pg_desc"`
		Size  int64           `json:"pg_size"`
		Ranks json.RawMessage `json:"ranks"`
	} `json:"pg_config"`
}

func newFile(path string, strict bool) *file {
	return &file{path: path, strict: strict, header: header{rank: -1}, rowOf: map[string]int32{},
		nameOf: map[string]int32{}, textOf: map[string]int32{}, category: map[string]class{}, kind: "CUDA",
		unknowns: map[string]bool{}, streamOf: map[device.Stream]int32{}, shapeNumber: map[shape]int32{},
		groupOf: map[string]int32{}, linkOf: map[string]int32{}, labels: map[string]string{},
		processes: map[string]string{}, threads: map[string]string{}, counterOf: map[string]int32{}, lastRow: -1}
}

// blame counts a problem of an event.
func (f *file) blame(p problem, why string) {
	d := &f.damaged[p]
	if d.count++; d.count == 1 {
		d.first = why
	}
	if f.strict && f.err == nil && p <= farAway {
		f.err = &prv.FileError{File: f.path, Why: "left out: " + strings.TrimPrefix(why, "event ")}
	}
}

// read reads the file, and calls moved with the number of bytes read so far.
func (f *file) read(ctx context.Context, moved func(n int)) error {
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	text, packed, err := unpacked(&counted{ctx, in, moved}, 1<<18)
	if err != nil {
		return &prv.FileError{File: f.path, Why: err.Error(), Err: err}
	}
	if packed {
		ahead := readAhead(text)
		defer ahead.close()
		text = ahead
	}
	err = f.scan(newScanner(text))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return &prv.FileError{File: f.path, Why: err.Error(), Err: err}
	case f.err != nil:
		return f.err
	}
	return nil
}

// unpacked returns the text of a file, compressed or not; size is the buffer's.
func unpacked(in io.Reader, size int) (text io.Reader, packed bool, err error) {
	buffered := bufio.NewReaderSize(in, size)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, false, nil
	}
	text, err = gzip.NewReader(buffered)
	return text, true, err
}

// counted reports the bytes that are read, and ends with its context.
type counted struct {
	ctx   context.Context
	in    io.Reader
	moved func(n int)
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.in.Read(p)
	c.moved(n)
	return n, err
}

// errExecution rejects the other kind of file by PyTorch's observers.
var errExecution = errors.New("an execution trace of PyTorch (nodes without a timeline), not a profile: " +
	"record one with torch.profiler and export_chrome_trace")

// scan reads all of the stream.
func (f *file) scan(s *scanner) error {
	c, ok := s.next()
	if ok && c == 0xef && s.pos+3 <= len(s.buf) { // byte order mark
		s.pos += 3
		c, ok = s.next()
	}
	found := false
	switch {
	case !ok:
		return emptyOr(s.end, "no events")
	case c == '[':
		if err := f.events(s); err != nil {
			return err
		}
		found = true
	case c != '{':
		return errors.New("not JSON: it begins with neither { nor [")
	default:
		s.pos++
		var err error
		if found, err = f.topLevel(s); err != nil {
			return err
		}
	}
	if !found {
		return emptyOr(s.end, `no "traceEvents"`)
	}
	f.profiler = f.profiler || f.schema != ""
	f.closeOpen()
	return nil
}

// emptyOr returns a stream's error, or the given one if the stream just ends.
func emptyOr(err error, why string) error {
	if err != nil && err != io.EOF {
		return err
	}
	return errors.New(why)
}

// topLevel reads the members of the outer object; found is set if it has events.
func (f *file) topLevel(s *scanner) (found bool, err error) {
	for {
		c, ok := s.next()
		if !ok {
			f.endsEarly(s)
			return found, nil
		}
		if c == ',' {
			s.pos++
			continue
		}
		if c == '}' {
			return found, nil
		}
		var key string
		err := s.parse(func(b []byte) (int, error) {
			if b[0] != '"' {
				return 0, errSyntax
			}
			end, err := endOfString(b, 0)
			if err != nil {
				return 0, err
			}
			key = string(b[1 : end-1])
			if end = skipBlanks(b, end); end == len(b) {
				return 0, errMore
			}
			if b[end] != ':' {
				return 0, errSyntax
			}
			return end + 1, nil
		})
		if err != nil {
			return found, f.broken(s, err, found)
		}
		c, ok = s.next()
		if !ok {
			f.endsEarly(s)
			return found, nil
		}
		if key == "traceEvents" && c == '[' {
			found = true
			if err := f.events(s); err != nil || f.err != nil || f.cut != "" {
				return true, err
			}
			continue
		}
		err = s.parse(func(b []byte) (int, error) {
			end, err := endOfValue(b, 0)
			if err == nil {
				err = f.member(key, b[:end])
			}
			return end, err
		})
		if err != nil {
			return found, f.broken(s, err, found)
		}
	}
}

// events reads the array that the stream is at.
func (f *file) events(s *scanner) error {
	s.pos++
	var e event
	for {
		c, ok := s.next()
		if !ok {
			if s.end != io.EOF {
				f.endsEarly(s)
			}
			return nil // the closing bracket may be missing
		}
		switch c {
		case ',':
			s.pos++
			continue
		case ']':
			s.pos++
			return nil
		}
		at := s.offset()
		if err := s.parse(e.parse); err != nil {
			return f.broken(s, err, true)
		}
		f.take(&e, at)
		if f.err != nil {
			return nil
		}
	}
}

// broken handles text that cannot be parsed: the end of the file is a cut, and so is damage after events.
func (f *file) broken(s *scanner, err error, found bool) error {
	switch {
	case err == errMore:
		f.endsEarly(s)
	case err == errSyntax && found:
		f.cut = fmt.Sprintf("not JSON at byte %d: the rest is left out", s.offset())
	case err == errSyntax:
		return fmt.Errorf("byte %d: %w", s.offset(), err)
	default:
		return err
	}
	if f.strict {
		return errors.New(f.cut)
	}
	return nil
}

// endsEarly notes that the stream ends inside a value.
func (f *file) endsEarly(s *scanner) {
	f.cut = fmt.Sprintf("the file ends early, at byte %d of its text", s.base+int64(len(s.buf)))
	if s.end != nil && s.end != io.EOF {
		f.cut += fmt.Sprintf(" (%v)", s.end)
	}
	if f.strict && f.err == nil {
		f.err = &prv.FileError{File: f.path, Why: f.cut}
	}
}

// member reads a member of the outer object other than events.
func (f *file) member(key string, value []byte) error {
	switch key {
	case "schemaVersion":
		f.schema = str(value)
	case "schema", "nodes":
		if f.schema = str(value); key == "nodes" || strings.HasPrefix(f.schema, "1.") {
			return errExecution
		}
	case "baseTimeNanoseconds":
		if base, ok := integer(value); ok && base >= 0 && base < 4e18 {
			f.base = base
		}
	case "host_name":
		f.host = str(value)
	case "deviceProperties":
		f.profiler = true
	case "WARNING", "ERROR":
		var list []string
		if json.Unmarshal(value, &list) == nil {
			for _, s := range list {
				f.warnings = append(f.warnings, strings.ToLower(key)+" of the profiler: "+prv.Clean(s))
			}
		}
	case "distributedInfo":
		f.profiler = true
		f.distributed(value)
	}
	return nil
}

// distributed reads the rank of the file, the number of ranks and their groups.
func (f *file) distributed(value []byte) {
	var c configuration
	if len(value) > 0 && value[0] == '"' { // a text that describes it as Python does
		value = []byte(strings.ReplaceAll(str(value), "'", `"`))
	}
	if json.Unmarshal(value, &c) != nil {
		return
	}
	if c.Rank != nil && *c.Rank >= 0 {
		f.rank = *c.Rank
	}
	f.world = max(c.World, 0)
	for _, g := range c.Groups {
		f.configured = append(f.configured, group{g.Name, g.Text, ranksOf(g.Ranks), g.Size})
	}
}

// ranksOf reads a list of ranks, as JSON or as text.
func ranksOf(text []byte) (list []int64) {
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		if n, ok := integer(text[from:i]); ok {
			list = append(list, n)
		}
	}
	return list
}

// closeOpen ends the spans without an end.
func (f *file) closeOpen() {
	for i := range f.rows {
		r := &f.rows[i]
		f.joinBounds(r)
		last := int64(0)
		for k := range r.spans {
			last = max(last, r.spans[k].end)
		}
		for _, s := range r.open {
			f.blame(beginOnly, f.names[s.name])
			s.end = max(s.begin, last)
			r.spans = append(r.spans, s)
		}
		r.open = nil
	}
}

// name returns the number of a name.
func (f *file) name(value []byte) int32 {
	if isNull(value) {
		value = nil
	}
	if n, ok := f.nameOf[string(value)]; ok {
		return n
	}
	s, cut := text(value)
	n, ok := f.textOf[s]
	if !ok {
		n = int32(len(f.names))
		f.names = append(f.names, s)
		f.textOf[s] = n
	}
	if cut {
		f.blame(longName, s[:40])
	} else {
		f.nameOf[string(value)] = n
	}
	return n
}

// at returns the row of a process and thread.
func (f *file) at(process, thread []byte) int32 {
	f.key = append(append(append(f.key[:0], unquote(process)...), 0), unquote(thread)...)
	if f.lastRow >= 0 && string(f.key) == string(f.lastRowKey) {
		return f.lastRow
	}
	i, ok := f.rowOf[string(f.key)]
	if !ok {
		i = int32(len(f.rows))
		f.rows = append(f.rows, row{process: str(process), thread: str(thread)})
		f.rowOf[string(f.key)] = i
	}
	f.lastRow, f.lastRowKey = i, append(f.lastRowKey[:0], f.key...)
	return i
}

// categoryOf returns the class of a category.
func (f *file) categoryOf(value []byte) class {
	if value == nil {
		return unknown
	}
	if c, ok := f.category[string(value)]; ok {
		return c
	}
	name := str(value)
	c, known := classOf(name)
	switch {
	case known:
		f.profiler = true
	case name != "":
		f.unknowns[name] = true
	}
	f.category[string(value)] = c
	switch {
	case strings.HasPrefix(name, "xpu_"):
		f.kind = "XPU"
	case strings.HasPrefix(name, "mtia_"):
		f.kind = "MTIA"
	}
	return c
}

// stepName is the annotation of an iteration.
var stepName = regexp.MustCompile(`^ProfilerStep\s*#\s*(\d+)`)

// stepOf returns the number of the iteration that an annotation names.
func stepOf(name string) (int64, bool) {
	if !strings.HasPrefix(name, "ProfilerStep") {
		return 0, false
	}
	m := stepName.FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 32)
	return n, err == nil
}
