package model

// The .row file: names of the objects of a trace.
//
// "LEVEL <level> SIZE <n>" is followed by n lines, one name per object in order. SIZE is only a claim: a list also ends
// at the next LEVEL line.

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Names is the content of a .row: names of objects per level.
type Names struct {
	Levels [7][]string // by Level; nil if the file does not have the level, "" if an object has no name
}

// Lookup returns the name of object i (0-based) of a level; ok is false if the .row has none, so that the caller must
// build one.
func (n *Names) Lookup(l Level, i int) (name string, ok bool) {
	if i < 0 || i >= len(n.Levels[l]) || n.Levels[l][i] == "" {
		return "", false
	}
	return n.Levels[l][i], true
}

// rowLevels are the levels as a .row spells them. Paraver knows APPL; APPLICATION
// is the spelling of older pviews.
var rowLevels = map[string]Level{
	"WORKLOAD": LevelWorkload, "APPL": LevelPtask, "APPLICATION": LevelPtask, "TASK": LevelTask, "THREAD": LevelThread,
	"SYSTEM": LevelSystem, "NODE": LevelNode, "CPU": LevelCPU,
}

// RowName returns a level as a .row spells it.
func RowName(l Level) string {
	if l == LevelPtask {
		return "APPL"
	}
	return strings.ToUpper(l.String())
}

// ParseNames reads a .row. It is lenient: a malformed line is skipped and becomes a Note. There is an error only if r
// fails; the names read so far are returned with it. Memory is bounded for any r.
func ParseNames(file string, r io.Reader) (*Names, []Note, error) {
	p := nameParser{textLines: newTextLines(file, r), n: &Names{}}
	for {
		line, ok := p.whole()
		if !ok {
			break
		}
		p.line(line)
	}
	p.endList()
	notes, err := p.finish()
	return p.n, notes, err
}

// nameParser is the state of reading a .row.
type nameParser struct {
	*textLines
	n     *Names
	open  bool // a list is open
	level Level
	size  uint64 // claimed by the LEVEL line
	begin int64  // number of the LEVEL line
	list  []string
	noted bool // lines outside of a list have been noted
}

// line takes a line. Blanks are part of a name, as in Paraver, unless the name has nothing else.
func (p *nameParser) line(name string) {
	s := strings.TrimSpace(name)
	if s == "" {
		name = ""
	}
	if level, size, ok := rowHeader(s); ok {
		p.endList()
		p.beginList(level, size)
		return
	}
	if p.open {
		p.list = append(p.list, name)
		if uint64(len(p.list)) == p.size {
			p.endList()
		}
		return
	}
	if s != "" && s[0] != '#' && !p.noted {
		p.note("name beyond the SIZE of its level, or outside of any: %s", Quote(s))
		p.noted = true // once per list
	}
}

// rowHeader splits "LEVEL name SIZE n".
func rowHeader(s string) (level, size string, ok bool) {
	if !strings.HasPrefix(s, "LEVEL") {
		return "", "", false
	}
	f := strings.Fields(s)
	if len(f) != 4 || f[0] != "LEVEL" || f[2] != "SIZE" {
		return "", "", false
	}
	return f[1], f[3], true
}

func (p *nameParser) beginList(level, size string) {
	n, err := strconv.ParseUint(size, 10, 64)
	if err != nil {
		p.note("SIZE is not a number: %s", Quote(size))
		p.noted = true
		return
	}
	l, ok := rowLevels[level]
	if !ok {
		p.note("unknown level %s", Quote(level))
		p.noted = true
		return
	}
	if p.n.Levels[l] != nil {
		p.note("level %s appears a second time; the first one counts", level)
		p.noted = true
		return
	}
	p.open, p.level, p.size, p.begin, p.list, p.noted = n > 0, l, n, p.num, nil, false
}

// endList closes the open list. Blank lines at its end, before the next LEVEL,
// are not names.
func (p *nameParser) endList() {
	if !p.open {
		return
	}
	p.open = false
	found := len(p.list)
	for found > 0 && p.list[found-1] == "" {
		found--
	}
	if uint64(found) < p.size {
		p.notes.add(p.begin, fmt.Sprintf("level %s has %d names, SIZE says %d", RowName(p.level), found, p.size))
	}
	p.n.Levels[p.level] = slices.Clip(p.list[:found])
}
