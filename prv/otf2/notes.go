package otf2

// The notes on the files and their records.

import (
	"fmt"
	"slices"
	"strings"

	"pview/prv"
	"pview/prv/quantity"
)

// mostNotes limits the notes of each kind that names files.
const mostNotes = 8

// firstFault returns the first fault of the archive as an error.
func (a *archive) firstFault() error {
	if len(a.faults) > 0 {
		return a.faults[0].err()
	}
	for i := range a.locs {
		l := &a.locs[i]
		if l.missing {
			return &prv.FileError{File: a.fileOf(l.id, ".evt"), Why: "is missing: no events of " + a.describe(l)}
		}
		if len(l.faults) > 0 {
			return l.faults[0].err()
		}
	}
	return nil
}

// report adds the notes.
func (a *archive) report(t *prv.Trace, lanes []*lane, found *matched) {
	faults := slices.Clip(a.faults)
	for i := range a.locs {
		faults = append(faults, a.locs[i].faults...)
	}
	a.reportFaults(t, faults)
	a.reportMissing()
	a.reportCounts(lanes, found)
	t.Notes = a.notes
	t.Comments = a.remarks(lanes)
}

// reportFaults reports the damaged places, and sets the cut.
func (a *archive) reportFaults(t *prv.Trace, faults []fault) {
	for i := range faults {
		f := &faults[i]
		if f.cut && t.Cut == nil && strings.HasSuffix(f.file, ".evt") {
			t.Cut = &prv.Cut{Why: a.name(f.file) + " " + f.text}
			continue
		}
		if i < mostNotes {
			a.notes = append(a.notes, prv.Note{File: f.file, Text: f.text})
		}
	}
	if n := len(faults) - mostNotes; n > 0 {
		a.note(a.path, "%d more damaged places", n)
	}
}

// reportMissing reports missing files and the consequences.
func (a *archive) reportMissing() {
	missing := 0
	var first *location
	for i := range a.locs {
		l := &a.locs[i]
		if l.missing {
			if missing++; first == nil {
				first = l
			}
		}
		if l.localMissing && len(l.unknown) > 0 {
			a.note(a.fileOf(l.id, ".def"), "is missing: ids and times of %s are taken as they are", a.describe(l))
		}
		if l.dropped > 0 {
			a.note(a.fileOf(l.id, ".def"), "%d clock offsets left out: their times do not increase", l.dropped)
		}
	}
	switch {
	case missing == 1:
		a.note(a.fileOf(first.id, ".evt"), "is missing: no events of %s", a.describe(first))
	case missing > 1:
		a.note(a.fileOf(first.id, ".evt"), "is missing: no events of %s, and of %d other locations", a.describe(first),
			missing-1)
	}
	if n := uint64(len(a.locs)); n > a.announced {
		a.note(a.path, "announces %d locations, %d are defined", a.announced, n)
	}
}

// total adds up a count of all lanes.
func total(lanes []*lane, count func(l *lane) int64) (n int64) {
	for _, l := range lanes {
		n += count(l)
	}
	return n
}

// reportCounts reports irregular records.
func (a *archive) reportCounts(lanes []*lane, found *matched) {
	cause := ""
	posts, unused := total(lanes, func(l *lane) int64 { return l.allPosts }),
		total(lanes, func(l *lane) int64 { return l.unusedPosts })
	if unused > 0 && 2*unused >= posts {
		cause = ": the tracer does not record where receives complete (MPI_Waitall)"
	}
	unknown := map[uint64]bool{}
	for i := range a.locs {
		for _, id := range a.locs[i].unknown {
			unknown[id] = true
		}
	}
	for _, n := range []struct {
		count       int64
		what, about string
	}{
		{int64(len(unknown)), "region", "that no definition names: called by their ids"},
		{total(lanes, func(l *lane) int64 { return l.unknownMetric }), "reading",
			"of metrics that are not defined: left out"},
		{total(lanes, func(l *lane) int64 { return l.noComm }), "end", "of messages of unknown communicators: left out"},
		{total(lanes, func(l *lane) int64 { return l.noPeer }), "end", "of messages to or from no process: left out"},
		{found.lostSends, "send", "without a receive in this trace" + cause},
		{found.lostPosted, "receive", "without a send in this trace"},
		{found.sizes, "message", "of different sizes at its ends: the sender's counts"},
		{total(lanes, func(l *lane) int64 { return l.back }), "time",
			"that goes back within a location: the latest so far counts"},
		{total(lanes, func(l *lane) int64 { return l.strayLeaves }), "leave", "of a region that was not entered: left out"},
		{total(lanes, func(l *lane) int64 { return l.missingLeaves }), "region",
			"without a leave: it ends with the one around it"},
		{total(lanes, func(l *lane) int64 { return l.restarted }), "reading",
			"of a counter below the one before: counting restarts"},
		{total(lanes, func(l *lane) int64 { return l.unknownEvents() }), "event", "of an unknown kind: left out"},
	} {
		if n.count > 0 {
			a.note(a.path, "%s %s", quantity.CountOf(n.count, n.what), n.about)
		}
	}
}

// unknownEvents counts events of kinds that are not in the format.
func (l *lane) unknownEvents() (n int64) {
	for id := range l.skipped {
		if id > lastEvent || eventNames[id] == "" {
			n += l.skipped[id]
		}
	}
	return n
}

// remarks lists the contents of the archive that the trace does not show.
func (a *archive) remarks(lanes []*lane) (list []string) {
	if n := total(lanes, func(l *lane) int64 { return l.attributes }); n > 0 {
		list = append(list, fmt.Sprintf("#OTF2: %d attributes of events are not shown", n))
	}
	for id, name := range eventNames {
		if n := total(lanes, func(l *lane) int64 { return l.skipped[id] }); n > 0 && name != "" {
			list = append(list, fmt.Sprintf("#OTF2: %d events %s are not shown", n, name))
		}
	}
	return list
}

// eventNames names the events that the trace does not show.
var eventNames = [lastEvent + 1]string{
	evParameterString: "ParameterString", evParameterInt: "ParameterInt",
	evParameterUnsigned: "ParameterUnsignedInt", 35: "RmaWinCreate", 36: "RmaWinDestroy",
	37: "RmaCollectiveBegin", 38: "RmaCollectiveEnd", 39: "RmaGroupSync", 40: "RmaRequestLock",
	41: "RmaAcquireLock", 42: "RmaTryLock", 43: "RmaReleaseLock", 44: "RmaSync", 45: "RmaWaitChange",
	48: "RmaAtomic", 49: "RmaOpCompleteBlocking", 50: "RmaOpCompleteNonBlocking", 51: "RmaOpTest",
	52: "RmaOpCompleteRemote", 62: "ThreadCreate", 63: "ThreadBegin", 64: "ThreadWait", 65: "ThreadEnd",
	69: "IoCreateHandle", 70: "IoDestroyHandle", 71: "IoDuplicateHandle", 72: "IoSeek", 73: "IoChangeStatusFlags",
	74: "IoDeleteFile", 76: "IoOperationTest", 77: "IoOperationIssued", 79: "IoOperationCancelled",
	80: "IoAcquireLock", 81: "IoReleaseLock", 82: "IoTryLock", 83: "ProgramBegin", 84: "ProgramEnd",
	87: "CommCreate", 88: "CommDestroy",
}
