// Reading.
//
// Order matters in a .cfg: a window begins at its window_name and a histogram at
// its "< NEW ANALYZER2D >"; the keys that follow belong to it. Each key is an
// entry of a table (windowKeys, histogramKeys) that knows how to read and how to
// write it.

package cfg

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"pview/prv"
	"pview/semantic"
)

// Bounds on the demands of a file. The largest in use have some dozen windows and, with a list of 100,000 objects in
// each, a few megabytes.
const (
	maxSize    = 64 << 20 // bytes
	maxWindows = 10_000   // and as many histograms
	maxKept    = 100_000  // lines that are not understood
	maxNotes   = 100
)

// maxParents bounds the number of windows behind a derived window, each counted as often as it is used: parents of
// parents grow as powers of two, and so would the time to compute them.
const maxParents = 1000

// UnknownFunctionError is a function, filter or statistic that pview does not
// have. It is the cause of a prv.FileError.
type UnknownFunctionError struct {
	Kind string // "thread function", ...
	Name string
}

func (e *UnknownFunctionError) Error() string {
	return fmt.Sprintf("pview does not have the %s %q", e.Kind, e.Name)
}

// spelled notes a name that Paraver does not spell like this.
func (r *reader) spelled(kind, name, known string) {
	if name != known && len(r.file.misspelled) < maxNotes {
		text := fmt.Sprintf("%s %q is unknown to Paraver; read as %q", kind, name, known)
		r.file.misspelled = append(r.file.misspelled,
			prv.Note{File: r.file.Name, Line: r.number, Text: prv.Clean(text)})
	}
}

// Read reads a .cfg. The error names file, line and reason; the notes list what was read but is not used. name is the
// name of the file.
func Read(name string, in io.Reader) (*File, []prv.Note, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxSize+1))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	r := &reader{file: &File{Name: name}, noted: map[string]bool{}}
	if len(text) > maxSize {
		return nil, nil, r.fail(0, fmt.Errorf("longer than %d MB", maxSize>>20))
	}
	if err := r.read(string(text)); err != nil {
		return nil, r.notes, err
	}
	return r.file, r.notes, nil
}

// reader is the state of reading.
type reader struct {
	file         *File
	number       int64 // of the current line
	notes        []prv.Note
	remarks      int             // notes, including those not in the list
	kept         int             // lines that are not understood
	noted        map[string]bool // keys that were noted already
	placeholders []string        // values that were never filled in
	window       *Window         // that the keys belong to
	pending      *draft          // for window
	histo        *Histogram      // that the keys belong to
	refs         map[*Histogram]*references
	sizes        map[*semantic.Window]int // windows in a window, itself included

	shebang, version, count bool // signs that this is a .cfg
	declared                int  // number of windows that the file declares
}

// read reads the file line by line.
func (r *reader) read(text string) error {
	describing := false
	var description []string
	for line := range strings.Lines(text) {
		r.number++
		line = prv.Clean(strings.TrimRight(line, "\r\n"))
		key := strings.TrimSpace(line)
		switch {
		case r.number == 1 && isDimemas(key):
			return r.fail(1, errors.New("a Dimemas configuration, not one of Paraver"))
		case describing && (key == "ConfigFile.EndDescription" || key == "end_description"):
			describing = false
			r.file.Description = strings.Join(description, "\n")
		case describing:
			description = append(description, line)
		case key == "ConfigFile.BeginDescription" || key == "begin_description":
			describing, description = true, nil
		default:
			if err := r.line(key); err != nil {
				return r.fail(r.number, err)
			}
		}
	}
	if describing {
		return r.fail(r.number, errors.New("the description does not end"))
	}
	return r.finish()
}

// isDimemas reports whether a file begins like Dimemas's, whose names also end in .cfg.
func isDimemas(line string) bool {
	return line == "#DIMEMAS_CONFIGURATION" || strings.HasPrefix(line, "SDDFA")
}

// fail returns an error on a line.
func (r *reader) fail(line int64, why error) error {
	var already *prv.FileError
	if errors.As(why, &already) {
		return why
	}
	return &prv.FileError{File: r.file.Name, Line: line, Why: prv.Clean(why.Error()), Err: why}
}

// note adds a note on the current line. Beyond a limit, the last note only counts the others.
func (r *reader) note(format string, args ...any) {
	if r.remarks++; r.remarks > maxNotes {
		return
	}
	r.notes = append(r.notes, prv.Note{File: r.file.Name, Line: r.number,
		Text: prv.Clean(fmt.Sprintf(format, args...))})
}

// line takes one line, stripped of blanks around it.
func (r *reader) line(s string) error {
	if strings.HasPrefix(s, "<") { // headings differ in blanks
		s = strings.Join(strings.Fields(s), " ")
	}
	switch {
	case s == "#ParaverCFG":
		r.shebang = true
		return nil
	case s == "" || s[0] == '#' || strings.HasPrefix(s, "< NEW DISPLAYING WINDOW"):
		return nil
	case s == "< NEW ANALYZER2D >":
		return r.beginHistogram()
	case s == "CFG4D_ENABLED":
		r.file.CFG4D = true
		return nil
	}
	key, text := cutKey(s)
	if read, ok := headKeys[key]; ok {
		return read(r, text)
	}
	if key == "window_name" {
		return r.beginWindow(text)
	}
	return r.keyed(key, text)
}

// keyed takes a key of a window or histogram.
func (r *reader) keyed(key, text string) error {
	var err error
	known := false
	if k, ok := windowKeyOf[key]; ok && r.window != nil {
		known, err = true, k.read(r, r.window, text)
	} else if k, ok := histogramKeyOf[key]; ok && r.histo != nil {
		known, err = true, k.read(r, r.histo, text)
	}
	var bad badValue
	switch {
	case known && err == nil:
		return nil
	case errors.As(err, &bad) && placeholder.MatchString(text):
		r.placeholders = append(r.placeholders, text)
	case errors.As(err, &bad):
		r.note("%s: %v; line preserved", strings.TrimSuffix(key, ":"), err)
	case err != nil:
		return fmt.Errorf("%s: %w", strings.TrimSuffix(key, ":"), err)
	case ignoredKeys[key]:
	case !r.noted[key]:
		r.noted[key] = true
		r.note("unknown key %s; line preserved", key)
	}
	if r.kept++; r.kept > maxKept {
		return fmt.Errorf("more than %d unknown lines", maxKept)
	}
	r.keep(Line{key, text})
	return nil
}

// placeholder is a value that a script should fill in, as in the .cfg templates of other tools.
var placeholder = regexp.MustCompile(`^@\w+@$`)

// notePlaceholders notes all placeholders that were not filled in, in one line.
func (r *reader) notePlaceholders() {
	if len(r.placeholders) > 0 {
		r.notes = append(r.notes, prv.Note{File: r.file.Name,
			Text: prv.Clean("a template whose values were not filled in, defaults are used: " +
				strings.Join(r.placeholders, ", "))})
	}
}

// badValue marks a value that cannot be read but that does no harm, because the key has a default: it is noted and
// kept.
type badValue struct{ error }

func badf(format string, args ...any) error { return badValue{fmt.Errorf(format, args...)} }

// keep adds a line that is not understood to the window, histogram or file that it belongs to.
func (r *reader) keep(l Line) {
	switch {
	case r.window != nil:
		r.window.Other = append(r.window.Other, l)
	case r.histo != nil:
		r.histo.Other = append(r.histo.Other, l)
	default:
		r.file.Other = append(r.file.Other, l)
	}
}

// cutKey splits a line into its key, with its colon if any, and the rest.
func cutKey(s string) (key, text string) {
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

// headKeys are the keys before the first window. Old files spell them
// differently.
var headKeys = map[string]func(r *reader, text string) error{
	"ConfigFile.Version:":    (*reader).readVersion,
	"version":                (*reader).readVersion,
	"ConfigFile.NumWindows:": (*reader).readCount,
	"number_of_windows":      (*reader).readCount,
}

func (r *reader) readVersion(text string) error {
	r.version = true
	r.file.Version = text
	return nil
}

func (r *reader) readCount(text string) error {
	r.count = true
	if n, err := integer(text); err == nil {
		r.declared = n
		return nil
	}
	r.note("number of windows: %q is not a number", text)
	r.declared = -1
	return nil
}

// beginWindow opens a window.
func (r *reader) beginWindow(name string) error {
	if err := r.endWindow(); err != nil {
		return err
	}
	if len(r.file.Windows) == maxWindows {
		return fmt.Errorf("more than %d windows", maxWindows)
	}
	r.histo = nil
	r.window = blankWindow()
	r.window.Name, r.window.line = name, r.number
	r.pending = &draft{}
	r.file.Windows = append(r.file.Windows, r.window)
	return nil
}

// endWindow completes the window that is open.
func (r *reader) endWindow() error {
	w := r.window
	if w == nil {
		return nil
	}
	defer func() { r.window, r.pending = nil, nil }()
	if r.pending.derived {
		if err := r.derive(w); err != nil {
			return err
		}
	} else {
		w.Derived = nil
	}
	if err := r.pending.ownFunctions(r, w); err != nil {
		return err
	}
	if err := r.pending.userFunctions(r, w); err != nil {
		return err
	}
	if err := r.pending.modules(r, w); err != nil {
		return err
	}
	return r.pending.objects(r, w)
}

// derive sets the parents of a derived window.
func (r *reader) derive(w *Window) error {
	d := r.pending
	if d.parents == [2]int{} {
		return r.fail(w.line, errors.New("a composed window without window_identifiers"))
	}
	if w.Derived.Op.Name == "" {
		return r.fail(w.line, errors.New("a composed window without window_operation"))
	}
	size := 1
	for i, p := range []*semantic.Parent{&w.Derived.A, &w.Derived.B} {
		n := d.parents[i]
		if n < 1 || n >= len(r.file.Windows) {
			return r.fail(d.parentsLine, fmt.Errorf("window_identifiers: no window %d before this one", n))
		}
		p.Window = &r.file.Windows[n-1].Window
		size += max(1, r.sizes[p.Window])
	}
	if size > maxParents {
		return r.fail(d.parentsLine, fmt.Errorf("window_identifiers: a window of more than %d windows", maxParents))
	}
	if r.sizes == nil {
		r.sizes = map[*semantic.Window]int{}
	}
	r.sizes[&w.Window] = size
	blank := blankWindow()
	for _, l := range []prv.Level{prv.LevelCPU, prv.LevelThread} { // the level that the operation replaces
		w.Functions[l] = blank.Functions[l]
	}
	w.Filter = blank.Filter // it has no records to filter
	r.limitLevel(w)
	return nil
}

// limitLevel gives a derived window that is finer than both parents the level of the finer
// one, as Paraver does.
func (r *reader) limitLevel(w *Window) {
	if l := shownAt(&w.Window); l != w.Level {
		r.note("window %q is derived from windows at coarser levels than %s; it is shown at level %s", w.Name, w.Level,
			l)
		w.Level = l
	}
}

// shownAt returns the final level of a window: that of a derived window is limited by its parents'.
func shownAt(w *semantic.Window) prv.Level {
	if w.Derived == nil || w.Derived.A.Window == nil || w.Derived.B.Window == nil {
		return w.Level
	}
	finer := max(shownAt(w.Derived.A.Window), shownAt(w.Derived.B.Window))
	if w.Level > finer && w.Level.IsResource() == finer.IsResource() {
		return finer
	}
	return w.Level
}

// finish completes the file.
func (r *reader) finish() error {
	if err := r.endWindow(); err != nil {
		return err
	}
	r.number = 0
	switch {
	case !r.shebang && !(r.version && r.count):
		return r.fail(0,
			errors.New("not a Paraver configuration: no #ParaverCFG, and no version and number of windows"))
	case len(r.file.Windows) == 0:
		return r.fail(0, errors.New("no windows in it"))
	case r.count && r.declared >= 0 && r.declared != len(r.file.Windows):
		r.note("%d windows announced but %d found", r.declared, len(r.file.Windows))
	}
	if r.file.Version == "" {
		r.file.Version = currentVersion
	}
	for _, h := range r.file.Histograms {
		if err := r.connect(h); err != nil {
			return err
		}
	}
	r.notePlaceholders()
	if n := r.remarks - maxNotes; n > 0 {
		r.notes = append(r.notes, prv.Note{File: r.file.Name, Text: fmt.Sprintf("and %d more warnings", n)})
	}
	return nil
}
