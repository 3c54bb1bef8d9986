package pane

import (
	"errors"

	tea "charm.land/bubbletea/v2"
)

// Messages holds the message of the status line, which stays until the next key, and the list of problems.
type Messages struct {
	Text   string // "" for none
	Failed bool   // it reports a failure
	Log    []error
}

// longestLog limits the list of problems.
const longestLog = 100

// say shows a message until the next key.
func (m *Messages) say(text string) { m.Text, m.Failed = text, false }

// alarm shows a failure until the next key and adds it to the list of problems.
func (m *Messages) alarm(text string) {
	m.Text, m.Failed = text, true
	m.Note(errors.New(text))
}

// refuse shows why a command failed. It returns nil, for the caller to return.
func (m *Messages) refuse(err error) tea.Cmd {
	m.alarm(err.Error())
	return nil
}

// Note adds to the list of problems.
func (m *Messages) Note(err error) {
	m.Log = append(m.Log, err)
	m.Log = m.Log[max(len(m.Log)-longestLog, 0):]
}

// Clear removes the message. The list of problems stays.
func (m *Messages) Clear() { m.Text, m.Failed = "", false }
