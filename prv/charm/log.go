package charm

// A log has one record per line: numbers separated by blanks, the type first. The version decides which fields follow.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Types of records.
const (
	creation       = 1
	beginUnit      = 2
	endUnit        = 3
	enqueue        = 4
	dequeue        = 5
	beginRun       = 6
	endRun         = 7
	beginInterrupt = 8
	endInterrupt   = 9
	received       = 10
	beginTrace     = 11
	endTrace       = 12
	userEvent      = 13
	beginIdle      = 14
	endIdle        = 15
	beginPack      = 16
	endPack        = 17
	beginUnpack    = 18
	endUnpack      = 19
	broadcast      = 20
	multicast      = 21
	beginFunction  = 22
	endFunction    = 23
	userValue      = 26
	memoryUsage    = 27
	note           = 28
	bracketNote    = 29
	endPhase       = 30
	userStat       = 32
	beginPair      = 98
	endPair        = 99
	pair           = 100
)

// record is a line of a log. Which fields are set depends on the type.
type record struct {
	kind    uint8
	first   bool // a unit that is begun, not resumed
	created bool // a unit whose message was found
	message int32
	entry   int32
	pe      int32
	object  int32 // in log.objects, from 1; 0: none
	time    int64 // us
	event   int64
	size    int64
	// for a creation: when the send call ends; for a begin: when the message arrived, 0 if unknown; for a note: its end
	until    int64
	value    int64
	counters int32 // in log.counters, from 1
	text     int32 // in log.texts, from 1
}

// log is the log of one PE.
type log struct {
	path string
	pe   int

	records  []record
	objects  []string
	texts    []string
	counters [][]int64
	skipped  int64 // damaged lines
	firstBad int64
	unknown  int64 // records of unknown types
	ended    bool  // by a record of type 7

	objectID map[string]int32
}

// errField reports a line with too few fields.
var errField = errors.New("too few fields")

// reader reads the lines of a log.
type reader struct {
	*log
	run      *run
	delta    bool
	previous int64 // time
	wraps    int64
	line     int64
	text     string // of the line
	fields   []string
	at       int
	err      error
}

// read reads the log.
func (l *log) read(ctx context.Context, run *run, strict bool) error {
	f, err := os.Open(l.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(l.path, ".gz") {
		z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<16)) // several members are one file
		if err != nil {
			return fmt.Errorf("%s: %w", l.path, err)
		}
		in = z
	}
	r := &reader{log: l, run: run}
	l.objectID = map[string]int32{}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 1<<16), 1<<24)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), LogMark) {
		if err := lines.Err(); err != nil {
			return fmt.Errorf("%s: %w", l.path, err)
		}
		return fmt.Errorf(
			"%s:1: does not begin with %s: not a log, or a binary one (+binary-trace), which cannot be read", l.path,
			LogMark)
	}
	r.delta = strings.Contains(lines.Text(), "DELTA")
	for r.line = 2; lines.Scan() && !l.ended; r.line++ {
		if r.line&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.take(lines.Text()); err != nil {
			if strict {
				return fmt.Errorf("%s:%d: %w", l.path, r.line, err)
			}
			if l.skipped++; l.firstBad == 0 {
				l.firstBad = r.line
			}
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s:%d: %w", l.path, r.line, err)
	}
	return nil
}

// take reads a line.
func (r *reader) take(text string) error {
	r.text = strings.TrimRight(text, "\r")
	r.fields, r.at, r.err = strings.Fields(r.text), 0, nil
	if len(r.fields) == 0 {
		return nil
	}
	kind := r.number()
	if r.err != nil {
		return r.err
	}
	read, ok := layouts[kind]
	if !ok {
		r.unknown++
		return nil
	}
	rec := record{kind: uint8(kind)}
	read(r, &rec)
	if r.err != nil {
		return r.err
	}
	r.records = append(r.records, rec)
	r.ended = kind == endRun
	return nil
}

// number returns the next field; numbers beyond 63 bits are -1 printed without sign.
func (r *reader) number() int64 {
	if r.at >= len(r.fields) {
		r.err = errField
		return 0
	}
	s := r.fields[r.at]
	r.at++
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		u, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			r.err = fmt.Errorf("%q: must be a number", s)
			return 0
		}
		return int64(u)
	}
	return v
}

// small returns a number that fits 32 bits.
func (r *reader) small() int32 {
	v := r.number()
	if int64(int32(v)) != v {
		r.err = fmt.Errorf("%d: number too large", v)
	}
	return int32(v)
}

// optional returns the next field, 0 if there is none.
func (r *reader) optional() int64 {
	if r.at >= len(r.fields) {
		return 0
	}
	return r.number()
}

// left returns the number of fields that are left.
func (r *reader) left() int { return len(r.fields) - r.at }

// Times of old versions are modulo wrap.
const wrap = 1 << 32

// latest is the latest time, us: sums of times never overflow.
const latest = 1 << 53

// time returns the next field; with DELTA it is the difference from the previous time, up to version 5 it has only the
// low 32 bits.
func (r *reader) time() int64 {
	t := r.number()
	if r.err != nil {
		return 0
	}
	switch {
	case r.delta:
		t += r.previous
	case r.run.version <= 5:
		if t+r.wraps < r.previous-wrap/2 {
			r.wraps += wrap
		}
		t += r.wraps
	}
	if t < 0 || t > latest {
		r.err = fmt.Errorf("%d: time must be >= 0, and less than 285 years", t)
		return 0
	}
	r.previous = t
	return t
}

// layouts has the functions that read the fields of each type.
var layouts = map[int64]func(r *reader, to *record){
	creation:  (*reader).creation,
	broadcast: (*reader).creation,
	multicast: (*reader).creation,
	beginUnit: (*reader).begin,
	endUnit:   (*reader).end,
	enqueue: func(r *reader, to *record) {
		to.message, to.time, to.event, to.pe = r.small(), r.time(), r.number(), r.small()
	},
	dequeue: func(r *reader, to *record) {
		to.message, to.time, to.event, to.pe = r.small(), r.time(), r.number(), r.small()
	},
	beginRun:       absolute,
	endRun:         absolute,
	beginInterrupt: justTime,
	endInterrupt:   justTime,
	received: func(r *reader, to *record) {
		to.message = r.small()
		to.entry, to.time, to.event, to.pe = r.small(), r.time(), r.number(), r.small()
	},
	beginTrace: justTime, endTrace: justTime, beginIdle: justTime, endIdle: justTime,
	beginPack: justTime, endPack: justTime, beginUnpack: justTime, endUnpack: justTime,
	userEvent: func(r *reader, to *record) { to.value, to.time = r.number(), r.time() },
	beginPair: func(r *reader, to *record) { to.value, to.time = r.number(), r.time() },
	endPair:   func(r *reader, to *record) { to.value, to.time = r.number(), r.time() },
	pair:      func(r *reader, to *record) { to.value, to.time, to.event = r.number(), r.time(), r.number() },
	beginFunction: func(r *reader, to *record) {
		if to.time, to.value = r.time(), r.number(); r.err != nil {
			return
		}
		_, rest, _ := strings.Cut(r.text, r.fields[2])
		to.text = r.keep(strings.TrimLeft(strings.TrimSpace(rest), "0123456789 "))
	},
	endFunction: func(r *reader, to *record) { to.time, to.value = r.time(), r.number() },
	userValue: func(r *reader, to *record) {
		to.value = r.number()
		if to.time = r.previous; r.left() > 0 {
			to.time = r.time()
		}
	},
	memoryUsage: func(r *reader, to *record) { to.value, to.time = r.number(), r.time() },
	note:        func(r *reader, to *record) { to.time = r.time(); to.text = r.note(2) },
	bracketNote: func(r *reader, to *record) {
		to.time, to.until, to.value = r.number(), r.number(), r.number()
		to.time = min(max(to.time, 0), latest)
		to.until = min(max(to.until, to.time), latest)
		to.text = r.note(4)
	},
	endPhase: func(r *reader, to *record) { to.value, to.time = r.number(), r.time() },
	userStat: (*reader).stat,
}

func justTime(r *reader, to *record) { to.time = r.time() }

// absolute reads the time of the first and last record, which is never a difference.
func absolute(r *reader, to *record) {
	delta := r.delta
	r.delta = false
	to.time = r.time()
	r.delta = delta
}

func (r *reader) creation(to *record) {
	to.message, to.entry, to.time, to.event, to.pe = r.small(), r.small(), r.time(), r.number(), r.small()
	if r.left() > 0 {
		to.size = r.number()
	}
	to.until = to.time
	if r.run.version >= 5 {
		to.until += min(max(r.optional(), 0), latest)
	}
}

func (r *reader) begin(to *record) {
	to.message, to.entry, to.time, to.event, to.pe = r.small(), r.small(), r.time(), r.number(), r.small()
	if r.run.version >= 2 || r.left() > 0 {
		to.size = r.optional()
	}
	if r.run.version >= 4 {
		if to.until = r.optional(); to.until < 0 {
			to.until = 0
		}
		to.object = r.objectOf(to.entry)
	}
	r.rest(to)
}

func (r *reader) end(to *record) {
	to.message, to.entry, to.time, to.event, to.pe = r.small(), r.small(), r.time(), r.number(), r.small()
	to.size = r.optional()
	r.rest(to)
}

// rest reads the CPU time and the counters at the end of a line, if there are any.
func (r *reader) rest(to *record) {
	n := len(r.run.papi)
	if r.run.version < 6.5 || n == 0 || r.left() < n+1 {
		return
	}
	values := make([]int64, n)
	r.at = len(r.fields) - n
	for i := range values {
		values[i] = r.number()
	}
	r.counters = append(r.counters, values)
	to.counters = int32(len(r.counters))
}

// objectOf reads the numbers of an object: one per dimension of its array, known from version 9 on; else 4, or 3 before
// version 7.
func (r *reader) objectOf(entry int32) int32 {
	n, dims := 4, r.run.dims(int64(entry))
	switch {
	case r.run.version < 7:
		n = 3
	case r.run.version >= 9 && dims >= 1:
		n = dims
	}
	n = max(0, min(n, r.left())) // the dimensions are a claim
	numbers := make([]string, 0, n)
	for range n {
		numbers = append(numbers, strconv.FormatInt(r.number(), 10))
	}
	if r.err != nil {
		return 0
	}
	name := ""
	if e, ok := r.run.entries[int64(entry)]; ok {
		name = r.run.chares[e.chare].name
	}
	if r.run.version < 9 {
		for len(numbers) > 0 && numbers[len(numbers)-1] == "0" {
			numbers = numbers[:len(numbers)-1]
		}
	} else if dims < 1 {
		numbers = nil
	}
	if len(numbers) > 0 {
		name += "[" + strings.Join(numbers, ",") + "]"
	}
	id, ok := r.objectID[name]
	if !ok {
		r.objects = append(r.objects, name)
		id = int32(len(r.objects))
		r.objectID[name] = id
	}
	return id
}

// note returns the number of a note's text: its length is in the field at a position, and the text may follow without a
// blank.
func (r *reader) note(field int) int32 {
	if field >= len(r.fields) {
		r.err = errField
		return 0
	}
	rest := r.text
	for i := range field {
		rest = strings.TrimLeft(rest, " ")
		rest = rest[len(r.fields[i]):]
	}
	rest = strings.TrimLeft(rest, " ")
	for digits := 1; digits <= len(rest) && digits < 10 && rest[digits-1] >= '0' && rest[digits-1] <= '9'; digits++ {
		n, _ := strconv.Atoi(rest[:digits])
		switch tail := rest[digits:]; n {
		case len(tail):
			return r.keep(tail)
		case len(tail) - 1:
			if strings.HasPrefix(tail, " ") {
				return r.keep(tail[1:])
			}
		}
	}
	r.err = errors.New("the note does not have the length it claims")
	return 0
}

// keep keeps a text.
func (r *reader) keep(text string) int32 {
	r.texts = append(r.texts, text)
	return int32(len(r.texts))
}

// stat reads a value with two decimals, in hundredths.
func (r *reader) stat(to *record) {
	to.time = r.time()
	if len(r.fields) < 6 {
		r.err = errField
		return
	}
	v, err := strconv.ParseFloat(r.fields[3], 64)
	if err != nil {
		r.err = fmt.Errorf("%q: must be a number", r.fields[3])
		return
	}
	to.value = int64(math.Round(v * 100))
	r.at = 5
	if to.event = r.number(); to.event < 0 || to.event >= typeCounter-typeStatistic {
		r.err = fmt.Errorf("%d: unknown statistic", to.event)
	}
}
