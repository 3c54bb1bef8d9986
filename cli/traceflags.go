package cli

import (
	"errors"
	"fmt"

	"pview/prv"
	"pview/prv/quantity"
	"pview/prv/tools"
)

// timeRange reads the time range of --from and --to, in units of the trace.
func timeRange(from, to string, t *prv.Trace) (begin, end int64, limited bool, err error) {
	end = t.Duration
	for _, flag := range []struct {
		name, text string
		at         *int64
	}{{"from", from, &begin}, {"to", to, &end}} {
		if flag.text == "" {
			continue
		}
		limited = true
		if *flag.at, err = moment(flag.text, t); err != nil {
			return 0, 0, false, usagef("--%s %s: %w", flag.name, flag.text, err)
		}
	}
	if limited && begin >= end {
		return 0, 0, false, usagef("empty time range from %s to %s", duration(begin, t.Unit), duration(end, t.Unit))
	}
	return begin, end, limited, nil
}

// moment reads a time of a trace: 12.5ms, 10%, or a number in the trace's unit.
func moment(text string, t *prv.Trace) (int64, error) {
	m, err := tools.ParseMoment(text)
	if err != nil {
		return 0, err
	}
	at := m.At(t.Unit, t.Duration)
	switch {
	case at < 0:
		return 0, fmt.Errorf("must be >= 0")
	case at > t.Duration:
		return 0, fmt.Errorf("the trace ends at %s", duration(t.Duration, t.Unit))
	}
	return at, nil
}

// momentFlag takes a time of a trace.
type momentFlag struct {
	at   *tools.Moment
	text string
}

// String, Set and Type make it a flag's value.
func (m *momentFlag) String() string { return m.text }

// Set takes a time.
func (m *momentFlag) Set(text string) (err error) {
	m.text = text
	*m.at, err = tools.ParseMoment(text)
	if err == nil && m.at.Value < 0 {
		err = errors.New("must be >= 0")
	}
	return err
}

// Type names the value, for the help.
func (m *momentFlag) Type() string { return "TIME" }

// typesFlag picks events.
type typesFlag struct {
	rules *[]tools.TypeRule
	text  string
}

// String, Set and Type make it a flag's value.
func (t *typesFlag) String() string { return t.text }

// Set takes types.
func (t *typesFlag) Set(text string) (err error) {
	t.text = text
	*t.rules, err = tools.ParseTypeRules(text)
	if err == nil && len(*t.rules) == 0 {
		err = errors.New("no event type given")
	}
	return err
}

// Type names the value, for the help.
func (t *typesFlag) Type() string { return "TYPES" }

// tasksFlag picks tasks.
type tasksFlag struct{ tasks *tools.Tasks }

// String, Set and Type make it a flag's value.
func (t *tasksFlag) String() string { return t.tasks.String() }

// Set takes tasks.
func (t *tasksFlag) Set(text string) (err error) {
	*t.tasks, err = tools.ParseTasks(text)
	return err
}

// Type names the value, for the help.
func (t *tasksFlag) Type() string { return "TASKS" }

// bytesFlag takes a number of bytes.
type bytesFlag struct {
	n    *int64
	text string
}

// String, Set and Type make it a flag's value.
func (b *bytesFlag) String() string { return b.text }

// Set takes a size.
func (b *bytesFlag) Set(text string) error {
	b.text = text
	v, err := quantity.ParseBytes(text)
	*b.n = int64(v)
	return err
}

// Type names the value, for the help.
func (b *bytesFlag) Type() string { return "BYTES" }
