package notes

import (
	"pview/render/picture"
	"pview/render/timeline"
)

// Flags returns the notes of a trace, for a picture of it.
func (p *Pane) Flags(t *timeline.Trace) (list []picture.Flag) {
	for _, n := range p.notes[t] {
		list = append(list, picture.Flag{Time: n.time, Text: n.text})
	}
	return list
}
