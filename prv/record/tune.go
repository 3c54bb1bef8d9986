package record

// Reading and changing the tunable variables of a running program: see "Steering" in lib/record.c, which shares the
// file WORLD.tune. WORLD.steer has the texts of decisions, one per line, which label the events.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"unsafe"

	"pview/prv"
	"pview/prv/mapped"
)

// Types of the events of steered programs.
const (
	TypeSync     = 9990000 // pview_sync; the value counts the calls of the rank, from 1
	TypeDecision = 9990001 // a change; the value is its number, from 1
	typeTunable  = 9990100 // value of a variable; its slot is added to the type
)

// Parts of the file, as in lib/record.c.
const (
	tuneMagic  = "PVTUNE1\x00"
	tuneHeader = 64
	tuneRank   = 16
	tuneSlot   = 128
	tuneSlots  = 64
	slotReady  = 2 // state of a slot
)

// States of a proposal.
const (
	proposed = iota + 1
	final
	void
)

// Tunable is a variable of the program.
type Tunable struct {
	Name             string
	Whole            bool // an int
	Low, High, Value float64
	Ranks            []int // that registered it
}

// Text returns a value of the variable as users see it.
func (t *Tunable) Text(value float64) string {
	if t.Whole {
		return fmt.Sprintf("%.0f", value)
	}
	return fmt.Sprintf("%.3g", value)
}

// Tuning changes the variables of a run. It is for one goroutine.
type Tuning struct {
	mapping []byte
	ranks   int
	ahead   [tuneSlots]uint32 // calls of pview_sync between the furthest rank and a change
}

// OpenTuning opens the variables of the first run in a folder of records; nil if none are registered yet.
func OpenTuning(dir string) (*Tuning, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.tune"))
	if err != nil || len(names) == 0 {
		return nil, err
	}
	f, err := os.OpenFile(names[0], os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < tuneHeader {
		return nil, err
	}
	t := &Tuning{}
	if t.mapping, err = mapped.Map(f, info.Size(), true); err != nil {
		return nil, err
	}
	if t.ranks = tuneRanks(t.mapping); t.ranks == 0 {
		mapped.Unmap(t.mapping)
		return nil, nil
	}
	return t, nil
}

// tuneRanks returns the number of ranks in a file; 0 if it is incomplete.
func tuneRanks(file []byte) int {
	if len(file) < tuneHeader || string(file[:8]) != tuneMagic || binary.LittleEndian.Uint32(file[12:]) != tuneSlots {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(file[8:]))
	if tuneHeader+n*tuneRank+tuneSlots*tuneSlot > len(file) {
		return 0
	}
	return n
}

// Close closes the file.
func (t *Tuning) Close() { mapped.Unmap(t.mapping) }

func (t *Tuning) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&t.mapping[at])) }

// slot returns the position of a slot in the file.
func (t *Tuning) slot(i int) int { return tuneHeader + t.ranks*tuneRank + i*tuneSlot }

func (t *Tuning) proposal(i int) *uint64 { return t.word(t.slot(i) + 104) }

// rank returns the slots that a rank has registered, as bits, and its number of calls of pview_sync.
func (t *Tuning) rank(i int) (registered uint64, syncs uint32) {
	at := tuneHeader + i*tuneRank
	return atomic.LoadUint64(t.word(at)), atomic.LoadUint32((*uint32)(unsafe.Pointer(&t.mapping[at+8])))
}

// float returns one of a slot's numbers: low, high, value and wanted, in this order.
func (t *Tuning) float(i, number int) float64 {
	return math.Float64frombits(atomic.LoadUint64(t.word(t.slot(i) + 72 + 8*number)))
}

// Tunables returns the variables, in the order in which they were registered.
func (t *Tuning) Tunables() (list []Tunable) {
	for i := range tuneSlots {
		s := t.mapping[t.slot(i):][:tuneSlot]
		if atomic.LoadUint32((*uint32)(unsafe.Pointer(&s[64]))) != slotReady {
			break
		}
		v := Tunable{Name: tuneName(s), Whole: s[68] != 0, Low: t.float(i, 0), High: t.float(i, 1),
			Value: t.float(i, 2)}
		for r := range t.ranks {
			if registered, _ := t.rank(r); registered>>i&1 != 0 {
				v.Ranks = append(v.Ranks, r)
			}
		}
		list = append(list, v)
	}
	return list
}

func tuneName(slot []byte) string {
	name, _, _ := bytes.Cut(slot[:64], []byte{0})
	return strings.ToValidUTF8(string(name), "?")
}

// Pending reports whether some rank has not reached the last change of a variable.
func (t *Tuning) Pending(i int) bool {
	p := atomic.LoadUint64(t.proposal(i))
	return p&3 == final && t.behind(i, uint32(p>>2))
}

// behind reports whether a rank that has registered a variable has called pview_sync less than n times.
func (t *Tuning) behind(i int, n uint32) bool {
	for r := range t.ranks {
		if registered, syncs := t.rank(r); registered>>i&1 != 0 && syncs < n {
			return true
		}
	}
	return false
}

// furthest returns the most calls of pview_sync by a rank that has registered a variable, and the number of such ranks.
func (t *Tuning) furthest(i int) (most uint32, ranks int) {
	for r := range t.ranks {
		if registered, syncs := t.rank(r); registered>>i&1 != 0 {
			most = max(most, syncs)
			ranks++
		}
	}
	return most, ranks
}

// Set changes a variable in all of its ranks, at the call of pview_sync with the returned number; 0: the ranks were too
// fast, or the previous change is still pending.
func (t *Tuning) Set(i int, value float64, decision int) uint32 {
	if t.Pending(i) {
		return 0
	}
	most, ranks := t.furthest(i)
	if t.ahead[i] == 0 {
		t.ahead[i] = uint32(min(ranks, 2))
	}
	at := most + t.ahead[i]
	p, proposal := t.proposal(i), uint64(at)<<2
	atomic.StoreUint64(t.word(t.slot(i)+96), math.Float64bits(value))
	atomic.StoreUint64(t.word(t.slot(i)+112), uint64(decision))
	atomic.StoreUint64(p, proposal|proposed)
	most, _ = t.furthest(i)
	if most < at && atomic.CompareAndSwapUint64(p, proposal|proposed, proposal|final) {
		return at
	}
	atomic.CompareAndSwapUint64(p, proposal|proposed, proposal|void)
	t.ahead[i] = min(2*t.ahead[i], 1<<20)
	return 0
}

// WriteDecisions writes the texts of the first run's decisions, by number from 1, for the labels of its trace.
func WriteDecisions(dir string, texts []string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.tune"))
	if err != nil || len(names) == 0 {
		return err
	}
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(strings.Join(strings.Fields(text), " ") + "\n")
	}
	path := strings.TrimSuffix(names[0], ".tune") + ".steer"
	if err := os.WriteFile(path+".part", []byte(b.String()), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// labelSteering names an event type of steering.
func (m *merger) labelSteering(l *prv.Labels, typ uint32) bool {
	switch i := int(typ) - typeTunable; {
	case typ == TypeSync:
		l.AddType(typ, "Iteration (pview_sync)")
	case typ == TypeDecision:
		l.AddType(typ, "Steering decision", m.decisions()...)
	case i >= 0 && i < tuneSlots:
		l.AddType(typ, m.tunableLabel(i))
	default:
		return false
	}
	return true
}

// decisions returns the texts of the decisions by number. Only the first run is steered.
func (m *merger) decisions() (list []prv.ValueLabel) {
	text, err := os.ReadFile(m.worlds[0].file("steer"))
	if err != nil {
		return nil
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		list = append(list, prv.ValueLabel{Value: int64(i + 1), Label: line})
	}
	return list
}

// tunableLabel names the event type of a variable. Values of doubles are in millionths.
func (m *merger) tunableLabel(i int) string {
	for _, w := range m.worlds {
		file, err := os.ReadFile(w.file("tune"))
		if err != nil || tuneRanks(file) == 0 {
			continue
		}
		s := file[tuneHeader+tuneRanks(file)*tuneRank+i*tuneSlot:][:tuneSlot]
		if name := tuneName(s); name != "" && s[68] == 0 {
			return name + " (millionths)"
		} else if name != "" {
			return name
		}
	}
	return fmt.Sprintf("Variable %d of the program", i+1)
}
