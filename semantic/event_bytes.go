package semantic

import "pview/prv"

// The bytes of the messages between one event and the next.
//
// A program marks the start and the end of a call with events. The call gets the bytes sent at the time of the opening
// event and those that have arrived by the time of the closing event:
//
//	events        |open                     |close
//	sends         *  *       *              .          counted: *
//	receives      .          *   *          *
//
// At the opening time only sends count, logical ones if the filter has them. After it and before the closing time,
// every entry that passes counts, so that with logical times a message received physically after its logical receive
// counts twice (as in Paraver); with both, no physical sends and only the later of the two receives. At the closing
// time only effective receives count.

func eventBytes(x *threadRow, m *marks, _ params, v []float64) {
	logical, physical := x.pass.Comms.Logical(), x.pass.Comms.Physical()
	x.bytesBetween(m, v, func(e entry, closing int64) bool {
		if physical && !logical {
			return e.kind == ownRecvPhys || e.kind == ownSendPhys && e.time < closing
		}
		effective := e.kind.role() >= prv.LogicalRecv && x.isEffective(e.kind, e.comm)
		switch {
		case e.kind == ownSendPhys:
			return false
		case e.time == closing:
			return effective
		}
		return e.kind != ownRecv || !physical || effective
	})
}

func eventSentBytes(x *threadRow, m *marks, _ params, v []float64) {
	x.bytesBetween(m, v, func(e entry, closing int64) bool {
		return e.time < closing && (e.kind == ownSend || e.kind == ownSendPhys)
	})
}

// bytesBetween sums, for each event but the last, the bytes of messages sent at its time and of the entries after it
// that count, up to the time of the next event.
func (x *threadRow) bytesBetween(m *marks, v []float64, counts func(e entry, closing int64) bool) {
	all := x.entries(toOwn, true)
	first := 0 // entry at the opening time or later
	for k := 1; k+1 < len(v); k++ {
		opening, closing := m.time[k], m.time[k+1]
		for first < len(all) && all[first].time < opening {
			first++
		}
		sum := 0.0
		for _, e := range all[first:] {
			if e.time > closing {
				break
			}
			if e.time == opening && x.opens(e.kind) || e.time > opening && counts(e, closing) {
				sum += float64(x.trace.Comms.Size[e.comm])
			}
		}
		v[k] = sum
	}
}

// opens reports whether an entry at the time of the opening event counts.
func (x *threadRow) opens(k markKind) bool {
	if x.pass.Comms.Logical() {
		return k.role() == prv.LogicalSend
	}
	return k.role() == prv.PhysicalSend
}
