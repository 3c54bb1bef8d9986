package record

// Functions and regions that the program enters: events 60000019 and 60000119, as in Extrae's traces. Addresses are
// recorded by programs compiled with -finstrument-functions; ELF symbols name them, DWARF gives file and line.

import (
	"bufio"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ianlancetaylor/demangle"

	"pview/prv"
	"pview/prv/extrae"
)

// function is a function of the program, or a region that it names.
type function struct {
	name, file string // file "": unknown
	line       int
}

// functionLine is the event type of a function's place in the source.
const functionLine = 60000119

// functions holds the entered functions.
type functions struct {
	numbers[function]
	regions numbers[codePlace] // those that open parallel regions of OpenMP or create tasks
	callers
	reading sync.Mutex
	images  map[string]*image // by path
}

// numbers assigns values to things in the trace, in the same order as if processes were merged one after the other: a
// process with a new thing waits for the processes before it.
type numbers[T comparable] struct {
	mutex  sync.Mutex
	values map[T]int64 // from 1
	list   []T         // by value - 1
}

// module is a program or library in the memory of a process: an address minus base is the address in the file.
type module struct {
	base, begin, end uint64
	path             string
}

// image has the symbols of a program or library.
type image struct {
	symbols []elf.Symbol // functions by address
	data    *dwarf.Data  // nil: none
	err     error
	unnamed atomic.Bool // some function could not be named
}

// frame is an entered function or region.
type frame struct {
	address int64
	region  bool
}

// enter begins a function or region.
func (l *lane) enter(r record) {
	f := frame{r.aux(), r.request() != 0}
	value, ok := int64(0), false
	if p := l.process; f.region {
		value, ok = p.named[uint16(r.request())]
		if !ok {
			value = l.functions.of(function{name: p.regionName(uint16(r.request()))}, l.part)
			p.named[uint16(r.request())] = value
		}
	} else if value, ok = p.places[f.address]; !ok {
		m := p.module(uint64(f.address))
		found, unnamed := l.functions.find(m, uint64(f.address))
		unnamed.lacks()
		value = l.functions.of(found, l.part)
		p.places[f.address] = value
	}
	l.stack = append(l.stack, f)
	l.function(r, l.span(r).begin, value)
}

// function writes the begin of a function at a mark, or its end for value 0.
func (l *lane) function(r record, at, value int64) {
	l.mark(r, at, prv.Pair{Type: extrae.UserFunction, Value: value}, prv.Pair{Type: functionLine, Value: value})
}

// mark writes the events of a mark, and the counts up to it.
func (l *lane) mark(r record, at int64, pairs ...prv.Pair) {
	l.pairs = append(l.pairs[:0], pairs...)
	l.count(r, 0)
	if len(l.pairs) > 0 {
		l.out.Event(l.stream.thread, l.stream.cpu, at, l.pairs...)
	}
}

// exit ends the last function with that address, or the last region, and those entered since. If recording began within
// it, it is ignored.
func (l *lane) exit(r record) {
	f, at := frame{r.aux(), r.request() != 0}, l.span(r).begin
	i := len(l.stack) - 1
	for i >= 0 && l.stack[i] != f {
		i--
	}
	for ; i >= 0 && i < len(l.stack); l.stack = l.stack[:len(l.stack)-1] {
		l.function(r, at, 0)
	}
}

// regionName returns the name of a region.
func (p *process) regionName(number uint16) string {
	if name := p.regions[number]; len(name) > 0 {
		return strings.ToValidUTF8(string(name), "?")
	}
	return fmt.Sprintf("region %d", number)
}

// module returns the program or library that an address is in; its path is "" if none is known.
func (p *process) module(address uint64) module {
	for try := range 2 {
		for _, m := range p.modules {
			if address >= m.begin && address < m.end {
				return m
			}
		}
		if try == 0 {
			path := p.streams[0].path
			path = filepath.Join(filepath.Dir(path), fmt.Sprintf("%016x-%06d.maps", p.world.id, p.rank))
			p.modules = readModules(path)
		}
	}
	return module{}
}

// readModules reads where programs and libraries were loaded; invalid lines are left out.
func readModules(path string) (list []module) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m module
		if _, err := fmt.Sscanf(lines.Text(), "%x %x %x", &m.base, &m.begin, &m.end); err != nil {
			continue
		}
		if fields := strings.SplitN(lines.Text(), " ", 4); len(fields) == 4 {
			m.path = fields[3]
			list = append(list, m)
		}
	}
	return list
}

// of returns the value of a thing used by the process that a part is merging.
func (ns *numbers[T]) of(thing T, p *part) int64 {
	ns.mutex.Lock()
	defer ns.mutex.Unlock()
	if ns.values[thing] == 0 {
		ns.mutex.Unlock()
		p.await()
		ns.mutex.Lock()
	}
	if ns.values == nil {
		ns.values = map[T]int64{}
	}
	if ns.values[thing] == 0 {
		ns.list = append(ns.list, thing)
		ns.values[thing] = int64(len(ns.list))
	}
	return ns.values[thing]
}

// await waits for the processes that come earlier in a pass.
func (p *part) await() {
	for _, done := range p.before {
		select {
		case <-done:
		case <-p.ctx.Done():
		}
	}
	p.before = nil
}

// find returns the function at an address of a module; unnamed is the image if it has no name for it, else nil.
func (fs *functions) find(m module, address uint64) (f function, unnamed *image) {
	fs.reading.Lock()
	defer fs.reading.Unlock()
	im := fs.images[m.path]
	if im == nil {
		if fs.images == nil {
			fs.images = map[string]*image{}
		}
		im = openImage(m.path)
		fs.images[m.path] = im
	}
	at := address - m.base
	if f, ok := im.function(at); ok {
		return f, nil
	}
	if m.path == "" {
		return function{name: fmt.Sprintf("%#x", address)}, im
	}
	return function{name: fmt.Sprintf("%s+%#x", filepath.Base(m.path), at)}, im
}

// lacks notes that an image has no name for some function; a nil image is ignored.
func (im *image) lacks() {
	if im != nil {
		im.unnamed.Store(true)
	}
}

// openImage reads the symbols of a program or library.
func openImage(path string) *image {
	im := &image{}
	if path == "" {
		im.err = errors.New("no program or library was loaded there")
		return im
	}
	f, err := elf.Open(path)
	if err != nil {
		im.err = err
		return im
	}
	defer f.Close()
	im.symbols, im.err = f.Symbols()
	if im.err != nil {
		im.symbols, _ = f.DynamicSymbols()
	}
	im.symbols = slices.DeleteFunc(im.symbols, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Section == elf.SHN_UNDEF
	})
	slices.SortStableFunc(im.symbols, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	im.data, _ = f.DWARF()
	return im
}

// nameBits bounds the names of C++ functions, including template arguments, to 2^nameBits bytes.
const nameBits = 10

// function returns the function at an address of the file. Names of C++ and Rust functions are those of the source,
// without parameter types: lines distinguish overloads.
func (im *image) function(at uint64) (f function, ok bool) {
	i, exact := slices.BinarySearchFunc(im.symbols, at, func(s elf.Symbol, at uint64) int {
		return cmp.Compare(s.Value, at)
	})
	if !exact {
		i--
	}
	if i < 0 || !exact && at >= im.symbols[i].Value+im.symbols[i].Size {
		return f, false
	}
	f.name = demangle.Filter(im.symbols[i].Name, demangle.NoParams, demangle.MaxLength(nameBits))
	if im.data == nil {
		return f, true
	}
	unit, err := im.data.Reader().SeekPC(at)
	if err != nil {
		return f, true
	}
	if lines, err := im.data.LineReader(unit); err == nil && lines != nil {
		f.file, f.line = lineAt(lines, at)
	}
	return f, true
}

// lineAt returns the source file and line of an address. Functions of a unit may be in any order, which the DWARF
// reader's own search does not handle.
func lineAt(lines *dwarf.LineReader, at uint64) (file string, line int) {
	var last, next dwarf.LineEntry
	last.EndSequence = true
	for lines.Next(&next) == nil {
		if !last.EndSequence && last.File != nil && last.Address <= at && at < next.Address {
			return filepath.Base(last.File.Name), last.Line
		}
		last = next
	}
	return "", 0
}

// label names the functions in the trace.
func (fs *functions) label(l *prv.Labels, levels int) {
	fs.callers.label(l, levels)
	if len(fs.list) > 0 {
		labelFunctions(l, fs.list, extrae.UserFunction, "User function", functionLine, "User function line")
	}
}

// labelFunctions names the values of one event type by functions, and those of another by their lines; values are by
// number.
func labelFunctions(l *prv.Labels, list []function, typ uint32, name string, lineType uint32, lineName string) {
	names := []prv.ValueLabel{{Value: 0, Label: "End"}}
	lines := slices.Clone(names)
	for i, f := range list {
		names = append(names, prv.ValueLabel{Value: int64(i + 1), Label: f.name})
		line := fmt.Sprintf("unknown (%s)", f.name)
		if f.file != "" {
			line = fmt.Sprintf("%d (%s, %s)", f.line, f.file, f.name)
		}
		lines = append(lines, prv.ValueLabel{Value: int64(i + 1), Label: line})
	}
	l.AddType(typ, name, names...)
	l.AddType(lineType, lineName, lines...)
}

// notes reports the programs and libraries whose functions have no names.
func (fs *functions) notes() (list []prv.Note) {
	for _, path := range slices.Sorted(maps.Keys(fs.images)) {
		im := fs.images[path]
		if !im.unnamed.Load() {
			continue
		}
		why := "it has no symbols for them"
		if im.err != nil {
			why = im.err.Error()
		}
		list = append(list, prv.Note{File: path, Text: "functions are shown by address: " + why})
	}
	return list
}
