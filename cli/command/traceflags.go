package command

import (
	"errors"
	"fmt"

	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/tools"
)

// TimeRange reads the time range of --from and --to, in units of the trace.
func TimeRange(from, to string, t *prv.Trace) (begin, end int64, limited bool, err error) {
	end = t.Duration
	for _, flag := range []struct {
		name, text string
		at         *int64
	}{{"from", from, &begin}, {"to", to, &end}} {
		if flag.text == "" {
			continue
		}
		limited = true
		if *flag.at, err = Moment(flag.text, t); err != nil {
			return 0, 0, false, Usagef("--%s %s: %w", flag.name, flag.text, err)
		}
	}
	if limited && begin >= end {
		return 0, 0, false, Usagef("empty time range from %s to %s", quantity.FormatDuration(begin, t.Unit),
			quantity.FormatDuration(end, t.Unit))
	}
	return begin, end, limited, nil
}

// Moment reads a time of a trace: 12.5ms, 10%, or a number in the trace's unit.
func Moment(text string, t *prv.Trace) (int64, error) {
	m, err := tools.ParseMoment(text)
	if err != nil {
		return 0, err
	}
	at := m.At(t.Unit, t.Duration)
	switch {
	case at < 0:
		return 0, fmt.Errorf("must be >= 0")
	case at > t.Duration:
		return 0, fmt.Errorf("the trace ends at %s", quantity.FormatDuration(t.Duration, t.Unit))
	}
	return at, nil
}

// MomentFlag takes a time of a trace.
type MomentFlag struct {
	At   *tools.Moment
	Text string
}

// String, Set and Type make it a flag value.
func (m *MomentFlag) String() string { return m.Text }

// Set takes a time.
func (m *MomentFlag) Set(text string) (err error) {
	m.Text = text
	*m.At, err = tools.ParseMoment(text)
	if err == nil && m.At.Value < 0 {
		err = errors.New("must be >= 0")
	}
	return err
}

// Type names the value, for the help.
func (m *MomentFlag) Type() string { return "TIME" }

// TypesFlag picks events.
type TypesFlag struct {
	Rules *[]tools.TypeRule
	text  string
}

// String, Set and Type make it a flag value.
func (t *TypesFlag) String() string { return t.text }

// Set takes types.
func (t *TypesFlag) Set(text string) (err error) {
	t.text = text
	*t.Rules, err = tools.ParseTypeRules(text)
	if err == nil && len(*t.Rules) == 0 {
		err = errors.New("no event type given")
	}
	return err
}

// Type names the value, for the help.
func (t *TypesFlag) Type() string { return "TYPES" }

// TasksFlag picks tasks.
type TasksFlag struct{ Tasks *tools.Tasks }

// String, Set and Type make it a flag value.
func (t *TasksFlag) String() string { return t.Tasks.String() }

// Set takes tasks.
func (t *TasksFlag) Set(text string) (err error) {
	*t.Tasks, err = tools.ParseTasks(text)
	return err
}

// Type names the value, for the help.
func (t *TasksFlag) Type() string { return "TASKS" }

// BytesFlag takes a number of bytes.
type BytesFlag struct {
	N    *int64
	text string
}

// String, Set and Type make it a flag value.
func (b *BytesFlag) String() string { return b.text }

// Set takes a size.
func (b *BytesFlag) Set(text string) error {
	b.text = text
	v, err := quantity.ParseBytes(text)
	*b.N = int64(v)
	return err
}

// Type names the value, for the help.
func (b *BytesFlag) Type() string { return "BYTES" }
