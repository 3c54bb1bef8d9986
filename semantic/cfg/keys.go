// Values of keys: numbers, words, colours, lists.

package cfg

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/series"
)

// key is one key of a window or histogram: how it is read, and the texts that are written for it, one per line; none to
// leave it out.
type key[T any] struct {
	name  string
	read  func(r *reader, t *T, text string) error
	write func(w *writer, t *T) []string
}

func keyOf[T any](table []key[T]) map[string]*key[T] {
	m := map[string]*key[T]{}
	for i := range table {
		m[table[i].name] = &table[i]
	}
	return m
}

// ignoredKeys are of no use to pview: they are kept without a note. Most are from old versions, in many of the files
// that come with Paraver, which ignores them as well.
var ignoredKeys = map[string]bool{
	"window_number_of_row": true, "window_expanded": true, "window_scrollbar": true, "window_selected_objects": true,
	"window_pos_to_disp": true, "window_pos_of_x_scale": true, "window_pos_of_y_scale": true, "window_scale": true,
	"window_current_time":  true,
	"window_click_options": true, "window_click_info": true, "window_analyzer_executed": true,
	"window_analyzer_info":     true,
	"window_send_icon_enabled": true, "window_recv_icon_enabled": true,
	"Analyzer2D.ShowWindows:": true, "Analyzer2D.Expanded:": true, "Analyzer2D.TextMode:": true,
	"cfg4d": true, "cfg4dlink": true, "cfg4dstatistic": true, "cfg4dparam": true,
	"Analyzer2D.num_columns:": true, "Analyzer2D.scientific_notation:": true, "Analyzer2D.num_decimals:": true,
	"Analyzer2D.thousandsep:": true, "Analyzer2D.units:": true, "Analyzer2D.RelativeTime:": true,
	"Analyzer2D.Accumulator:": true, "Analyzer2D.AccumulateByControlWindow:": true, "Analyzer2D.CodeColor:": true,
	"Analyzer2D.UseCustomDelta:": true, "Analyzer2D.Parameters:": true, "Analyzer2D.Objects:": true,
}

// number reads a real number.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, badf("%q is not a number", text)
	}
	return v, nil
}

// integer reads a whole number, which some files write with decimals.
func integer(text string) (int, error) {
	v, err := number(text)
	if err != nil || v != math.Trunc(v) || math.Abs(v) > math.MaxInt32 {
		return 0, badf("%q is not a whole number", text)
	}
	return int(v), nil
}

// decimal writes a number without exponent, with all digits.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func truth(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, badf("%q is neither true nor false", text)
}

// one makes a key with a single value.
func one[T, V any](name string, at func(*T) *V, read func(string) (V, error), write func(V) string) key[T] {
	return key[T]{name,
		func(_ *reader, t *T, text string) error {
			v, err := read(text)
			if err == nil {
				*at(t) = v
			}
			return err
		},
		func(_ *writer, t *T) []string { return []string{write(*at(t))} },
	}
}

func numberKey[T any](name string, at func(*T) *float64) key[T] {
	return one(name, at, number, decimal)
}

func integerKey[T any](name string, at func(*T) *int) key[T] {
	return one(name, at, integer, strconv.Itoa)
}

// truthKey is written in lower case, like the keys of windows.
func truthKey[T any](name string, at func(*T) *bool) key[T] {
	return one(name, at, truth, strconv.FormatBool)
}

// capitalKey is written with a capital, like the keys of histograms.
func capitalKey[T any](name string, at func(*T) *bool) key[T] {
	return wordKey(name, at, truth, "False", "True")
}

// wordKey returns the key of a truth with its own two words.
func wordKey[T any](name string, at func(*T) *bool, read func(string) (bool, error), no, yes string) key[T] {
	return one(name, at, read, func(v bool) string {
		if v {
			return yes
		}
		return no
	})
}

// words reads a truth written as one of two words.
func words(no, yes string) func(string) (bool, error) {
	return func(text string) (bool, error) {
		switch {
		case strings.EqualFold(text, no):
			return false, nil
		case strings.EqualFold(text, yes):
			return true, nil
		}
		return false, badf("%q is neither %s nor %s", text, no, yes)
	}
}

// optional leaves out a key whose value is zero.
func optional[T any, V comparable](k key[T], at func(*T) *V) key[T] {
	write := k.write
	k.write = func(w *writer, t *T) []string {
		var zero V
		if *at(t) == zero {
			return nil
		}
		return write(w, t)
	}
	return k
}

// oldDrawModes are the draw modes by their digits in old files.
var oldDrawModes = []series.DrawMode{
	series.Last, series.Maximum, series.MinimumNotZero, series.Random, series.RandomNotZero,
	series.Average, series.AverageNotZero, series.MostTime,
}

func drawMode(text string) (series.DrawMode, error) {
	for _, m := range series.DrawModes {
		if m.Cfg == text && !m.Own {
			return m.Mode, nil
		}
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(oldDrawModes) {
		return oldDrawModes[n], nil
	}
	return 0, badf("unknown draw mode %q", text)
}

func drawModeKey[T any](name string, at func(*T) *series.DrawMode) key[T] {
	return one(name, at, drawMode, func(m series.DrawMode) string { return m.Entry().Cfg })
}

func colorMode(text string) (ColorMode, error) {
	for _, m := range colorModes {
		if m.Cfg == text && m.Cfg != "" {
			return m.Mode, nil
		}
	}
	return 0, badf("unknown colour mode %q", text)
}

func gradientFunction(text string) (GradientFunction, error) {
	if i := slices.Index(gradientNames, text); i > 0 {
		return GradientFunction(i), nil
	}
	return 0, badf("unknown gradient function %q", text)
}

func unit(text string) (semantic.Unit, error) {
	for _, u := range semantic.Units {
		if strings.EqualFold(u.Name, text) {
			return u.Unit, nil
		}
	}
	return 0, fmt.Errorf("unknown unit %q", text)
}

// level reads a level in the spelling of any version of files.
func level(text string) (prv.Level, bool) {
	if text == "appl" {
		return prv.LevelPtask, true
	}
	for _, l := range prv.Levels {
		if l.String() == text {
			return l, true
		}
	}
	return 0, false
}

// levelName returns the level as current files spell it.
func levelName(l prv.Level) string {
	if l == prv.LevelPtask {
		return "appl"
	}
	return l.String()
}

// numbers reads "n v1 ... vn".
func numbers(text string) (values []float64, err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, fmt.Errorf("%q is not a list of numbers", text)
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return nil, fmt.Errorf("%q is not a count of numbers", words[0])
	}
	for _, word := range words[1:] {
		v, err := number(word)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", word)
		}
		values = append(values, v)
	}
	if n != len(values) {
		return nil, fmt.Errorf("%d numbers announced but %d follow", n, len(values))
	}
	return values, nil
}

// listOf returns the inverse of numbers.
func listOf(values []float64) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(len(values)))
	for _, v := range values {
		b.WriteByte(' ')
		b.WriteString(decimal(v))
	}
	return b.String()
}

// quoted reads `n "a" "b"`.
func quoted(text string) (labels []string, err error) {
	count, rest, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(count)
	if err != nil {
		return nil, fmt.Errorf("%q is not a count of labels", count)
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := -1
		if rest[0] == '"' {
			end = strings.IndexByte(rest[1:], '"')
		}
		if end < 0 {
			return nil, fmt.Errorf("label not in quotes: %q", rest)
		}
		labels = append(labels, rest[1:1+end])
		rest = rest[end+2:]
	}
	if n != len(labels) {
		return nil, fmt.Errorf("%d labels announced but %d follow", n, len(labels))
	}
	return labels, nil
}

// palette reads "{value:r,g,b},{value:r,g,b}".
func palette(text string) (entries []PaletteEntry, err error) {
	for _, part := range strings.Split(text, "}") {
		part = strings.Trim(part, " \t,{")
		if part == "" {
			continue
		}
		value, color, _ := strings.Cut(part, ":")
		v, err := number(value)
		if err != nil {
			return nil, badf("%q is not a value and its colour", part)
		}
		var rgb [3]uint8
		parts := strings.Split(color, ",")
		for i := range rgb {
			if len(parts) != 3 {
				return nil, badf("%q is not a colour r,g,b", color)
			}
			n, err := strconv.ParseUint(strings.TrimSpace(parts[i]), 10, 8)
			if err != nil {
				return nil, badf("%q is not a colour r,g,b of numbers from 0 to 255", color)
			}
			rgb[i] = uint8(n)
		}
		entries = append(entries, PaletteEntry{v, prv.RGB{R: rgb[0], G: rgb[1], B: rgb[2]}})
	}
	return entries, nil
}

func paletteText(entries []PaletteEntry) string {
	var parts []string
	for _, e := range entries {
		parts = append(parts, fmt.Sprintf("{%s:%d,%d,%d}", decimal(e.Value), e.Color.R, e.Color.G, e.Color.B))
	}
	return strings.Join(parts, ",")
}
