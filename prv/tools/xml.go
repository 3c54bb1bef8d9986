package tools

// Paraver's option files: an XML document <config> with a section for each tool. Unknown
// elements are ignored, as in Paraver.

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pview/prv"
)

// OptionFile is the content of an option file; tools without a section are nil.
type OptionFile struct {
	Cut    *CutOptions
	Filter *FilterOptions
	Count  *CountOptions
}

// maxOptionFile bounds the bytes read of an option file.
const maxOptionFile = 16 << 20

// maxOption bounds the numbers of options: larger ones cannot be times or sizes.
const maxOption = 1 << 60

// xmlConfig mirrors the document. All leaves are texts: Paraver's own files have blanks and line
// ends around numbers.
type xmlConfig struct {
	XMLName  xml.Name     `xml:"config"`
	Cutter   *xmlCutter   `xml:"cutter"`
	Filter   *xmlFilter   `xml:"filter"`
	Counters *xmlCounters `xml:"software_counters"`
}

type xmlCutter struct {
	Tasks        string `xml:"tasks"`
	MaxSize      string `xml:"max_trace_size"`
	ByTime       string `xml:"by_time"`
	From         string `xml:"minimum_time"`
	To           string `xml:"maximum_time"`
	FromPercent  string `xml:"minimum_time_percentage"`
	ToPercent    string `xml:"maximum_time_percentage"`
	OriginalTime string `xml:"original_time"`
	BreakStates  string `xml:"break_states"`
	RemoveFirst  string `xml:"remove_first_states"`
	RemoveLast   string `xml:"remove_last_states"`
	KeepEvents   string `xml:"keep_events"`
}

type xmlFilter struct {
	DiscardStates string `xml:"discard_states"`
	DiscardEvents string `xml:"discard_events"`
	DiscardComms  string `xml:"discard_communications"`
	States        *struct {
		Names   string `xml:",chardata"`
		MinTime string `xml:"min_state_time"`
	} `xml:"states"`
	Types *struct {
		Use   string    `xml:"use,attr"`
		Types []xmlType `xml:"type"`
	} `xml:"types"`
	MinSize string `xml:"comms"`
}

type xmlType struct {
	Range   string   `xml:",chardata"`
	MinTime string   `xml:"min_time,attr"`
	Values  []string `xml:"value"`
}

type xmlCounters struct {
	Range struct {
		ByIntervals string `xml:"by_intervals_vs_by_states"`
		Interval    string `xml:"sampling_interval"`
		MinBurst    string `xml:"minimum_burst_time"`
		Count       string `xml:"count_events"`
		Accumulate  string `xml:"accum_events"`
		Accumulate2 string `xml:"acumm_events"` // as some versions spell it
		Events      string `xml:"events"`       // in older versions, for one of the two
	} `xml:"range"`
	Algorithm struct {
		CountEvents  string `xml:"count_events_vs_acummulate_values"` // selects which one
		RemoveStates string `xml:"remove_states"`
		Summarize    string `xml:"summarize_useful_states"`
		Global       string `xml:"global_counters"`
		OnlyInBursts string `xml:"only_in_burst_counting"`
		KeepEvents   string `xml:"keep_events"`
	} `xml:"algorithm"`
}

// ReadOptions reads an option file of Paraver; errors refer to it by name. It sets AsParaver for all tools.
func ReadOptions(name string, r io.Reader) (*OptionFile, error) {
	var doc xmlConfig
	d := xml.NewDecoder(io.LimitReader(r, maxOptionFile))
	d.CharsetReader = fromLatin1
	if err := d.Decode(&doc); err != nil {
		if err == io.EOF {
			return nil, &prv.FileError{File: name, Why: "empty: not an option file of Paraver"}
		}
		line, _ := d.InputPos()
		return nil, &prv.FileError{File: name, Line: int64(line), Why: "not an option file of Paraver: " + err.Error(),
			Err: err}
	}
	f := &OptionFile{}
	v := &xmlValues{}
	if doc.Cutter != nil {
		f.Cut = doc.Cutter.options(v)
	}
	if doc.Filter != nil {
		f.Filter = doc.Filter.options(v)
	}
	if doc.Counters != nil {
		f.Count = doc.Counters.options(v)
	}
	if v.err != nil {
		return nil, &prv.FileError{File: name, Why: v.err.Error()}
	}
	return f, nil
}

// fromLatin1 reads documents that are not in UTF-8: the relevant text is ASCII, and the names of states are read as in
// the .pcf.
func fromLatin1(_ string, r io.Reader) (io.Reader, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	runes := make([]rune, len(text))
	for i, b := range text {
		runes[i] = rune(b)
	}
	return strings.NewReader(string(runes)), nil
}

// xmlValues reads the texts of elements, and keeps the first error.
type xmlValues struct{ err error }

func (v *xmlValues) fail(element, text, want string) {
	if v.err == nil {
		v.err = fmt.Errorf("<%s> is %q, not %s", element, text, want)
	}
}

// number reads a whole number >= 0; an absent or empty element is 0.
func (v *xmlValues) number(element, text string) int64 {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > maxOption {
		v.fail(element, s, "a whole number >= 0")
		return 0
	}
	return n
}

// time reads a time in the trace's unit.
func (v *xmlValues) time(element, text string) Moment {
	return TraceTime(v.number(element, text))
}

// is reads a yes (any number but 0) or no.
func (v *xmlValues) is(element, text string) bool { return v.number(element, text) != 0 }

func (x *xmlCutter) options(v *xmlValues) *CutOptions {
	o := &CutOptions{
		OriginalTimes: strings.TrimSpace(x.OriginalTime) == "" || v.is("original_time", x.OriginalTime), // as Paraver
		BreakStates:   v.is("break_states", x.BreakStates),
		RemoveFirst:   v.is("remove_first_states", x.RemoveFirst),
		RemoveLast:    v.is("remove_last_states", x.RemoveLast),
		KeepEvents:    v.is("keep_events", x.KeepEvents),
		MaxBytes:      min(v.number("max_trace_size", x.MaxSize), maxOption/1_000_000) * 1_000_000,
		AsParaver:     true,
	}
	if strings.TrimSpace(x.ByTime) == "" || v.is("by_time", x.ByTime) {
		o.From, o.To = v.time("minimum_time", x.From), v.time("maximum_time", x.To)
	} else {
		o.From = Moment{Value: float64(v.number("minimum_time_percentage", x.FromPercent)), Unit: Percent}
		o.To = Moment{Value: float64(v.number("maximum_time_percentage", x.ToPercent)), Unit: Percent}
	}
	var err error
	if o.Tasks, err = ParseTasks(strings.TrimSpace(x.Tasks)); err != nil && v.err == nil {
		v.err = fmt.Errorf("<tasks>: %w", err)
	}
	return o
}

func (x *xmlFilter) options(v *xmlValues) *FilterOptions {
	o := &FilterOptions{
		States:    !v.is("discard_states", x.DiscardStates),
		Events:    !v.is("discard_events", x.DiscardEvents),
		Comms:     !v.is("discard_communications", x.DiscardComms),
		MinSize:   v.number("comms", x.MinSize),
		AsParaver: true,
	}
	if s := x.States; s != nil {
		o.MinStateTime = v.time("min_state_time", s.MinTime)
		for _, name := range strings.Split(s.Names, ",") {
			if name = strings.TrimSpace(name); name != "" {
				o.StateNames = append(o.StateNames, name)
			}
		}
		switch {
		case len(o.StateNames) == 0:
			o.StateNames = []string{"Running"}
		case strings.Contains(o.StateNames[0], "All"):
			o.StateNames = nil
		}
	}
	if t := x.Types; t != nil {
		o.DiscardTypes = strings.TrimSpace(t.Use) == "discard"
		for _, x := range t.Types {
			o.Types = append(o.Types, x.rule(v))
		}
	}
	return o
}

func (x *xmlType) rule(v *xmlValues) (r TypeRule) {
	text := strings.TrimSpace(x.Range)
	if len(x.Values) > 0 {
		text += ":" + strings.Join(x.Values, ",")
	}
	rules, err := ParseTypeRules(text)
	if err != nil || len(rules) != 1 {
		v.fail("type", text, "an event type or a range")
		return r
	}
	rules[0].MinCallTime = v.number("min_time", x.MinTime)
	return rules[0]
}

func (x *xmlCounters) options(v *xmlValues) *CountOptions {
	r, a := &x.Range, &x.Algorithm
	o := &CountOptions{
		ByBursts:     !v.is("by_intervals_vs_by_states", r.ByIntervals),
		Interval:     v.time("sampling_interval", r.Interval),
		MinBurst:     v.time("minimum_burst_time", r.MinBurst),
		RemoveStates: v.is("remove_states", a.RemoveStates),
		Summarize:    v.is("summarize_useful_states", a.Summarize),
		Global:       v.is("global_counters", a.Global),
		OnlyInBursts: v.is("only_in_burst_counting", a.OnlyInBursts),
		AsParaver:    true,
	}
	count, accumulate := r.Count, r.Accumulate+r.Accumulate2
	if strings.TrimSpace(r.Events) != "" {
		if v.is("count_events_vs_acummulate_values", a.CountEvents) {
			count = r.Events
		} else {
			accumulate = r.Events
		}
	}
	o.Count = v.counted("count_events", count)
	o.Accumulate = v.counted("accum_events", accumulate)
	o.Keep = v.counted("keep_events", a.KeepEvents)
	return o
}

// counted reads "type:value,value;type".
func (v *xmlValues) counted(element, text string) []TypeRule {
	rules, err := ParseTypeRules(text)
	if err != nil && v.err == nil {
		v.err = fmt.Errorf("<%s>: %w", element, err)
	}
	return rules
}
