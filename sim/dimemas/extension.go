package dimemas

// Records of a .dim trace that Dimemas 5.5.0 lacks: the primitives of the thesis (3.3) and probes. Dimemas rejects
// them.

import (
	"fmt"
	"math"
	"strconv"

	"pview/sim"
)

// extension is a kind of record: the fields after kind, task and thread.
type extension struct {
	number int64
	fields []extensionField
	kinds  []sim.Kind // by the last field, if there are several
}

// extensionField is the target of a record's field.
type extensionField uint8

const (
	fieldTag extensionField = iota // number of a semaphore or port, tag of a message
	fieldPeer
	fieldSize
	fieldMatch
	fieldKind
)

var extensions = []extension{
	{50, []extensionField{fieldTag, fieldKind}, []sim.Kind{sim.SemaphoreWait, sim.SemaphoreSignal}},
	{51, []extensionField{fieldPeer, fieldSize, fieldKind}, []sim.Kind{sim.Put, sim.Get}},
	{52, nil, []sim.Kind{sim.Flush}},
	{53, []extensionField{fieldTag, fieldSize, fieldKind}, []sim.Kind{sim.SendPort, sim.RecvPort}},
	{54, []extensionField{fieldPeer, fieldTag, fieldMatch}, []sim.Kind{sim.Probe}},
}

// extended reads such a record; it returns the reason if it is malformed.
func (d *dimReader) extended(kind int64) string {
	for i := range extensions {
		x := &extensions[i]
		if x.number != kind {
			continue
		}
		if d.f.n != 3+len(x.fields) {
			return fmt.Sprintf("record of kind %d: %d fields, not %d", kind, d.f.n, 3+len(x.fields))
		}
		var m sim.Message
		which := int64(0)
		for k, field := range x.fields {
			v, ok := d.f.int(3 + k)
			if !ok {
				return fmt.Sprintf("record of kind %d: field %d is not a number", kind, 4+k)
			}
			switch field {
			case fieldTag:
				m.Tag = v
			case fieldMatch:
				m.Match = v
			case fieldSize:
				m.Size = v
			case fieldPeer:
				if v < 0 || v > math.MaxInt32 {
					return fmt.Sprintf("there is no task %d", v)
				}
				m.Peer = int32(v)
			case fieldKind:
				which = v
			}
		}
		if which < 0 || which >= int64(len(x.kinds)) {
			return fmt.Sprintf("record of kind %d: its last field is 0 to %d, not %d", kind, len(x.kinds)-1, which)
		}
		d.thread.AddMessage(x.kinds[which], m)
		return ""
	}
	return fmt.Sprintf("there is no record of kind %d", kind)
}

// appendExtended writes such a record.
func appendExtended(b []byte, k sim.Kind, m *sim.Message, prefix string) []byte {
	for i := range extensions {
		x := &extensions[i]
		for which, kind := range x.kinds {
			if kind != k {
				continue
			}
			b = append(strconv.AppendInt(b, x.number, 10), prefix...)
			for _, field := range x.fields {
				v := int64(which)
				switch field {
				case fieldTag:
					v = m.Tag
				case fieldMatch:
					v = m.Match
				case fieldSize:
					v = m.Size
				case fieldPeer:
					v = int64(m.Peer)
				}
				b = strconv.AppendInt(append(b, ':'), v, 10)
			}
		}
	}
	return b
}
