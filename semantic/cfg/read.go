package cfg

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"pview/prv"
)

// Open reads a .cfg file. The error is a *prv.FileError that names file, line and
// reason.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			return nil, &prv.FileError{File: path, Why: pe.Err.Error(), Err: err}
		}
		return nil, err
	}
	defer f.Close()
	return Read(path, f)
}

// longestLine bounds a line: Paraver writes limits with 300 digits, and lists of
// thousands of event types.
const longestLine = 16 << 20

// Read reads a .cfg; name is what errors call it.
func Read(name string, src io.Reader) (*File, error) {
	r := &reader{name: name, file: &File{}}
	lines := bufio.NewScanner(src)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	for lines.Scan() {
		r.line++
		if err := r.take(prv.Clean(lines.Text())); err != nil {
			return nil, r.fail(err.Error(), err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, r.fail(err.Error(), err)
	}
	return r.finish()
}

// reader is the state of reading one file.
type reader struct {
	name string
	line int64
	file *File
	// what the lines belong to: a histogram, a window, or the head of the file
	window    *Window
	histogram *Histogram
	seen      bool // a line that only a .cfg has
	text      bool // within the description
	links     []link
	started   bool // window_type was read: the window exists
	extraAt   int  // extra composes that have their parameters
	line0     int64
	columns   columnKeys
}

// link is what a derived window or a histogram says of windows by their place in
// the file, to be resolved when all are there.
type link struct {
	line int64
	do   func() error
}

func (r *reader) fail(why string, err error) error {
	return &prv.FileError{File: r.name, Line: r.line, Why: why, Err: err}
}

func (r *reader) note(format string, args ...any) {
	const most = 100
	if len(r.file.Notes) < most {
		r.file.Notes = append(r.file.Notes, prv.Note{File: r.name, Line: r.line, Text: fmt.Sprintf(format, args...)})
	}
}

// take reads one line.
func (r *reader) take(line string) error {
	line = strings.TrimSpace(line)
	switch key := strings.TrimSuffix(line, "."); {
	case key == "ConfigFile.EndDescription" || key == "end_description":
		r.text = false
		return nil
	case r.text:
		if r.file.Description != "" {
			r.file.Description += "\n"
		}
		r.file.Description += line
		return nil
	case key == "ConfigFile.BeginDescription" || key == "begin_description":
		r.text = true
		return nil
	case strings.HasPrefix(line, "#ParaverCFG"):
		r.seen = true
		return nil
	case line == "" || line[0] == '#':
		return nil
	case line == "CFG4D_ENABLED":
		r.file.Aliases = true
		return nil
	case strings.HasPrefix(line, "< NEW ANALYZER"):
		return r.newHistogram()
	case line[0] == '<':
		return nil // announces a window; window_name opens it
	}
	key, value, _ := strings.Cut(line, " ")
	return r.setting(strings.TrimSuffix(key, ":"), strings.TrimSpace(value))
}

// setting reads one key with its value.
func (r *reader) setting(key, value string) error {
	switch key {
	case "ConfigFile.Version", "version":
		r.file.Version, r.seen = value, true
		return nil
	case "ConfigFile.NumWindows", "number_of_windows":
		r.seen = true
		return nil
	case "window_name":
		r.seen = true
		r.newWindow(value)
		return nil
	case "cfg4d", "cfg4dlink", "cfg4dstatistic", "cfg4dparam":
		s := prv.Setting{Name: key, Value: value}
		if r.histogram != nil {
			r.histogram.Aliases = append(r.histogram.Aliases, s)
		} else if r.window != nil {
			r.window.Aliases = append(r.window.Aliases, s)
		}
		return nil
	}
	if r.histogram != nil {
		return r.histogramKey(key, value)
	}
	if r.window != nil {
		return r.windowKey(key, value)
	}
	if !r.seen {
		return errors.New("not a Paraver configuration: it begins with neither #ParaverCFG nor ConfigFile.Version")
	}
	r.note("%q stands outside of any window: left out", key)
	return nil
}

// finish resolves what refers to windows by number.
func (r *reader) finish() (*File, error) {
	r.endHistogram()
	if !r.seen {
		r.line = 0
		return nil, r.fail("not a Paraver configuration: it has neither #ParaverCFG nor ConfigFile.Version", nil)
	}
	for _, l := range r.links {
		r.line = l.line
		if err := l.do(); err != nil {
			return nil, r.fail(err.Error(), err)
		}
	}
	return r.file, nil
}

// later does something when all windows are there.
func (r *reader) later(do func() error) {
	r.links = append(r.links, link{r.line, do})
}

// windowAt returns the window at a place (1-based) in the file.
func (r *reader) windowAt(value string) (*Window, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > len(r.file.Windows) {
		return nil, fmt.Errorf("there is no window %s: the file has %d", value, len(r.file.Windows))
	}
	return r.file.Windows[n-1], nil
}
