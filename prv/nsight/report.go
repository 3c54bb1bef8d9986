package nsight

// A report: its processes, threads, names and devices, and the order in which tables are read.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/nsight/sqlite"
	"pview/prv/quantity"
)

// report collects the records of an export.
type report struct {
	db     *sqlite.File
	path   string
	number int // in the run
	strict bool
	notes  []prv.Note

	product, schema string
	utc             int64 // of time 0 of the report, 0: unknown
	host            string

	processes    map[uint64]*process // by key
	last         *process
	lastThread   thread
	expected     expected
	lastDomain   *kineto.Kind
	lastDomainID int64
	size         [6]int64 // of the last kernel
	processNames map[uint64]string
	threadNames  map[uint64]int64 // by global thread, string
	ranks        map[uint64]int64 // of MPI, by process key
	strings      byNumber[string]
	blocking     byNumber[bool] // names of calls of the system in which a thread waits
	gpus         []gpu
	physical     map[[2]int64]int64 // GPU, by process number and its device
	kinds        *kinds
	domains      map[int64]*kineto.Kind // of NVTX
	metrics      map[int64]*kineto.Kind
	noProcess    int64 // operations of devices that name no process
	failed       int64 // calls
	firstFailed  string
	unknownWaits int64 // waits of streams for events that were not recorded
	overhead     int64 // ns
}

// gpu is a device as the report describes it.
type gpu struct {
	id         int64
	name       string
	processors int64
	memory     int64
}

// process is a process with records.
type process struct {
	*kineto.Rank
	key         uint64 // of globalTid without the thread
	rows        map[uint32]int32
	names       byNumber[int32] // of strings
	indexes     map[*kineto.Kind]kineto.Index
	lastKind    *kineto.Kind
	lastIndex   kineto.Index
	waits       map[int64]bool // correlations of calls that wait for the device
	streamWaits []streamWait
	byRecording map[int64]eventRecord   // by eventSyncId
	byEvent     map[int64][]eventRecord // by eventId
	rowOf       map[int64]int32         // threads of calls, by correlation
	nccl        map[int32][]ncclRange
	ranges      []openRange // of no thread
	first, last int64       // of all times
	devices     map[int64]bool
	lastDevice  numbered
	rank        int64 // -1: unknown
	sends       []end // of messages
	receives    []end
	posted      []posted
	waited      []wait
}

// pid returns the system's number of a process.
func (p *process) pid() int64 { return int64(p.key & 0xffffff) }

func newReport(db *sqlite.File, path string, strict bool, kinds *kinds) *report {
	return &report{db: db, path: path, strict: strict, kinds: kinds, domains: map[int64]*kineto.Kind{},
		metrics: map[int64]*kineto.Kind{}, processes: map[uint64]*process{}, ranks: map[uint64]int64{},
		processNames: map[uint64]string{}, threadNames: map[uint64]int64{},
		physical: map[[2]int64]int64{}}
}

// process returns the process of a global thread or process number.
func (r *report) process(global int64) *process {
	key := uint64(global) >> 24
	if r.last != nil && r.last.key == key {
		return r.last
	}
	p := r.processes[key]
	if p == nil {
		p = &process{Rank: kineto.NewRank(r.path, r.strict), key: key, rows: map[uint32]int32{},
			indexes: map[*kineto.Kind]kineto.Index{}, waits: map[int64]bool{},
			byRecording: map[int64]eventRecord{}, byEvent: map[int64][]eventRecord{},
			rowOf: map[int64]int32{}, nccl: map[int32][]ncclRange{},
			first: math.MaxInt64, last: math.MinInt64, devices: map[int64]bool{}, rank: -1}
		p.ReserveCalls(withSlack(r.expected.calls[key]))
		p.ReserveWork(withSlack(r.expected.work[key]))
		r.processes[key] = p
	}
	r.last = p
	return p
}

// thread is a thread of the host.
type thread struct {
	global int64
	*process
	row int32
}

// thread returns the process and row of a global thread number.
func (r *report) thread(global int64) (*process, int32) {
	if t := &r.lastThread; t.global == global && t.process != nil {
		return t.process, t.row
	}
	p, row := r.findThread(global)
	r.lastThread = thread{global, p, row}
	return p, row
}

func (r *report) findThread(global int64) (*process, int32) {
	p := r.process(global)
	id := uint32(global) & 0xffffff
	row, ok := p.rows[id]
	if !ok {
		name := ""
		if n, ok := r.threadNames[uint64(global)]; ok {
			name = r.stringOf(n)
		}
		number := strconv.FormatUint(uint64(id), 10)
		row = p.Thread(number, strings.TrimSpace(cmp.Or(name, "thread")+" "+number))
		p.ReserveSpans(row, withSlack(r.expected.spans[global]))
		p.rows[id] = row
	}
	return p, row
}

// stringOf returns the text of a string's number.
func (r *report) stringOf(n int64) string {
	if s, ok := r.strings.get(n); ok {
		return s
	}
	return "#" + strconv.FormatInt(n, 10)
}

// textOf returns the text of a name, which is either a string's number or a text.
func (r *report) textOf(v value) string {
	if n, ok := v.Integer(); ok {
		return r.stringOf(n)
	}
	return v.Text()
}

// name returns a process's number for a name changed by edit.
func (r *report) name(p *process, v value, edit func(string) string) int32 {
	n, ok := v.Integer()
	if ok {
		if name, ok := p.names.get(n); ok {
			return name
		}
	}
	s := r.textOf(v)
	if edit != nil {
		s = edit(s)
	}
	name := p.Name(s)
	if ok {
		p.names.set(n, name)
	}
	return name
}

// index returns a process's index of a kind.
func (p *process) index(k *kineto.Kind) kineto.Index {
	if k == p.lastKind {
		return p.lastIndex
	}
	i, ok := p.indexes[k]
	if !ok {
		i = p.Index(k)
		p.indexes[k] = i
	}
	p.lastKind, p.lastIndex = k, i
	return i
}

// latest bounds times: 36 years.
const latest = 1 << 60

// timeOf reads a time in ns; ok is false if it is not a time, or beyond latest.
func timeOf(v value) (ns int64, ok bool) {
	ns, ok = number(v)
	return ns, ok && -latest <= ns && ns <= latest
}

// onThread reads the first columns of tables of calls: start, end and globalTid; ok is false for a record that is left
// out.
func (r *report) onThread(v []value, name func() string) (p *process, row int32, begin, end int64, ok bool) {
	global, ok := number(v[2])
	if !ok {
		return nil, 0, 0, 0, false
	}
	if begin, end, ok = r.span(r.process(global), v[0], v[1], name); !ok {
		return nil, 0, 0, 0, false
	}
	p, row = r.thread(global)
	return p, row, begin, end, true
}

// span reads the times of a record; ok is false for one that is left out, and counted by its name.
func (r *report) span(p *process, begin, end value, name func() string) (b, e int64, ok bool) {
	if b, ok = timeOf(begin); !ok {
		return 0, 0, false
	}
	if e, ok = timeOf(end); !ok {
		return 0, 0, false
	}
	if e < b {
		p.Negative(name())
		return 0, 0, false
	}
	p.take(b, e)
	return b, e, true
}

// take extends the time range of the process's records.
func (p *process) take(begin, end int64) { p.first, p.last = min(p.first, begin), max(p.last, end) }

// aRecord names a record without a name.
func aRecord() string { return "a record" }

// table has a function to read the rows of a table.
type table struct {
	name, columns string
	take          func(v []value)
}

// tables returns the tables that are read, in their order.
func (r *report) tables() []table {
	return slices.Concat(r.identity(), r.cuda(), r.nvtx(), r.system(), r.mpi(), r.rest())
}

// read reads all tables.
func (r *report) read(ctx context.Context, w prv.Watcher) error {
	tables := r.tables()
	total, done, size := int64(0), int64(0), r.db.Size()
	for _, t := range tables {
		if from := r.db.Tables[t.name]; from != nil {
			total += min(max(from.Last(), 0), size)
		}
	}
	if err := r.describe(); err != nil {
		return err
	}
	r.expect()
	for _, t := range tables {
		n := int64(0)
		err := r.each(t.name, t.columns, func(v []value) bool {
			if done++; done&0xfff == 0 {
				if ctx.Err() != nil {
					return false
				}
				if w.Progress != nil && total > 0 {
					w.Progress(int64(float64(size)*min(1, float64(done)/float64(total))), size)
				}
			}
			t.take(v)
			n++
			return true
		})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && r.strict:
			return &prv.FileError{File: r.path, Why: fmt.Sprintf("table %s: %s", t.name, oneLine(err))}
		case err != nil:
			r.note("table %s is read up to row %d: %s", t.name, n, oneLine(err))
		}
	}
	return nil
}

// each calls row for each row of a table, if the export has it, with the values of columns.
func (r *report) each(table, columns string, row func(v []value) bool) error {
	if t := r.db.Tables[table]; t != nil {
		return t.Scan(strings.Fields(columns), row)
	}
	return nil
}

// describe reads the versions, the start of the session and the host name. It uses nothing else of the environment.
func (r *report) describe() error {
	if missing, all := r.db.Missing(); missing > 0 {
		why := fmt.Sprintf("the file is cut: %d of its %d pages are missing", missing, all)
		if r.strict {
			return &prv.FileError{File: r.path, Why: why}
		}
		r.note("%s", why)
	}
	err := r.each("META_DATA_EXPORT", "name value", func(v []value) bool {
		switch v[0].Text() {
		case "EXPORT_SCHEMA_VERSION":
			r.schema = v[1].Text()
		case "EXPORT_PRODUCT_VERSION":
			r.product = v[1].Text()
		}
		return true
	})
	if err == nil {
		err = r.each("TARGET_INFO_SESSION_START_TIME", "utcEpochNs", func(v []value) bool {
			if n := whole(v[0]); n > 0 && n < 1<<62 {
				r.utc = n
			}
			return false
		})
	}
	if err == nil {
		err = r.each("TARGET_INFO_SYSTEM_ENV", "name value", func(v []value) bool {
			if v[0].Text() != "Hostname" {
				return true
			}
			r.host = v[1].Text()
			return false
		})
	}
	if err != nil {
		r.note("the export's description is not read: %s", oneLine(err))
	}
	major, _, _ := strings.Cut(r.schema, ".")
	if n, err := strconv.Atoi(major); err == nil && n > 3 {
		r.note("schema %s is newer than the tested ones (3.x)", r.schema)
	} else if err == nil && n < 3 {
		r.note("schema %s is older than the tested ones (3.x)", r.schema)
	}
	return nil
}

// identity returns the tables that name processes, threads and devices.
func (r *report) identity() []table {
	return []table{
		{"StringIds", "id value", func(v []value) { r.strings.set(whole(v[0]), v[1].Text()) }},
		{"PROCESSES", "globalPid name", func(v []value) {
			r.processNames[uint64(whole(v[0]))>>24] = path.Base(strings.ReplaceAll(r.textOf(v[1]), `\`, "/"))
		}},
		{"ThreadNames", "globalTid nameId", func(v []value) {
			if n, ok := number(v[1]); ok {
				r.threadNames[uint64(whole(v[0]))] = n
			}
		}},
		{"MPI_RANKS", "globalTid rank", func(v []value) {
			if n, ok := number(v[1]); ok && n >= 0 {
				r.ranks[uint64(whole(v[0]))>>24] = n
			}
		}},
		{"TARGET_INFO_GPU", "id name smCount totalMemory", func(v []value) {
			if len(r.gpus) < 64 {
				r.gpus = append(r.gpus, gpu{whole(v[0]), prv.Clean(r.textOf(v[1])), whole(v[2]), whole(v[3])})
			}
		}},
		{"TARGET_INFO_CUDA_DEVICE", "pid cudaId gpuId", func(v []value) {
			r.physical[[2]int64{whole(v[0]) & 0xffffff, whole(v[1])}] = whole(v[2])
		}},
		{"DIAGNOSTIC_EVENT", "severity text", func(v []value) {
			if n := whole(v[0]); (n == 2 || n == 3) && len(r.notes) < 100 {
				r.note("Nsight Systems: %s", withoutPaths(r.textOf(v[1])))
			}
		}},
	}
}

// withoutPaths hides the paths in a message: they may reveal names of users.
func withoutPaths(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if strings.Count(w, "/") > 1 || strings.Contains(w, `\`) {
			words[i] = "(path)"
		}
	}
	return prv.Clean(strings.Join(words, " "))
}

func cleanLabel(s string) string { return strings.TrimSpace(prv.Clean(s)) }

// build makes the trace of the reports of a run.
func build(ctx context.Context, reports []*report) (*prv.Trace, error) {
	var all []*process
	var notes []prv.Note
	for _, r := range reports {
		var list []*process
		for _, p := range r.processes {
			if p.last != math.MinInt64 {
				list = append(list, p)
			}
		}
		if len(list) == 0 {
			why := "no timeline in this export: neither kernels, calls, NVTX ranges, MPI nor OS runtime calls"
			if len(r.notes) > 0 {
				why += "; " + r.notes[0].Text
			}
			return nil, &prv.FileError{File: r.path, Why: why}
		}
		slices.SortFunc(list, func(x, y *process) int { return cmp.Compare(x.key, y.key) })
		for _, p := range list {
			r.finish(p)
			p.Base, p.Host = r.utc, cmp.Or(cleanLabel(r.host), fmt.Sprintf("node %d", r.number+1))
			p.Title = cleanLabel(fmt.Sprintf("%s %d", cmp.Or(r.processNames[p.key], "process"), p.pid()))
			if n, ok := r.ranks[p.key]; ok {
				p.rank, p.Title = n, fmt.Sprintf("rank %d", n)
			}
		}
		r.say(list)
		all, notes = append(all, list...), append(notes, r.notes...)
	}
	slices.SortStableFunc(all, func(x, y *process) int {
		return cmp.Compare(uint64(x.rank), uint64(y.rank)) // -1 last
	})
	ranks := make([]*kineto.Rank, len(all))
	for i, p := range all {
		ranks[i] = p.Rank
	}
	messages, unmatched := pair(all)
	note := func(format string, args ...any) {
		notes = append(notes, prv.Note{File: reports[0].path, Text: fmt.Sprintf(format, args...)})
	}
	if unmatched > 0 {
		note("%s with only one end in this run", quantity.CountOf(int64(unmatched), "MPI message"))
	}
	if len(messages) > 0 {
		note("MPI communicators have only local handles: the ranks of messages count as those of MPI_COMM_WORLD")
	}
	reports[0].kinds.number()
	settle(reports)
	return kineto.Build(ctx, ranks, messages, notes)
}

// say adds the notes.
func (r *report) say(list []*process) {
	var parts []string
	if r.product != "" {
		parts = append(parts, "Nsight Systems "+cleanLabel(r.product)+", schema "+cleanLabel(r.schema))
	}
	for _, g := range r.gpus {
		s := fmt.Sprintf("GPU %d: %s", g.id, g.name)
		if g.processors > 0 {
			s += fmt.Sprintf(", %d SMs", g.processors)
		}
		if g.memory > 0 {
			s += fmt.Sprintf(", %.1f GB", float64(g.memory)/1e9)
		}
		parts = append(parts, s)
	}
	if len(parts) > 0 {
		r.notes = slices.Insert(r.notes, 0, prv.Note{File: r.path, Text: strings.Join(parts, "; ")})
	}
	if r.failed > 0 {
		r.note("%s failed; the first: %s", quantity.CountOf(int64(r.failed), "call"), r.firstFailed)
	}
	if r.unknownWaits > 0 {
		r.note("%s of streams for events: where these were recorded is not in the export (nsys profile "+
			"--cuda-event-trace=true)", quantity.CountOf(r.unknownWaits, "wait"))
	}
	if r.overhead > 0 {
		r.note("the profiler took %.3f ms of the threads' time", float64(r.overhead)/1e6)
	}
	if r.noProcess > 0 && len(list) > 1 {
		r.note("%s of devices without a process, shown in %s", quantity.CountOf(int64(r.noProcess), "operation"),
			list[0].Title)
	}
	users := map[int64]int{}
	for _, p := range list {
		for d := range p.devices {
			if _, ok := r.physical[[2]int64{p.pid(), d}]; !ok {
				users[d]++
			}
		}
	}
	for _, d := range slices.Sorted(func(yield func(int64) bool) {
		for d, n := range users {
			if n > 1 && !yield(d) {
				return
			}
		}
	}) {
		r.note("%d processes have a device %d: whether they share one GPU is unknown", users[d], d)
	}
}
