package study

// The key of a study depends on everything that determines its runs, and on nothing else. A store has the runs of the
// plan with the same key.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"pview/sim"
)

// Key identifies a study by its cases and everything else that determines its runs.
func Key(kind string, cases []*Case, rest ...any) string {
	h := sha256.New()
	note(h, kind)
	for _, c := range cases {
		fingerprint(h, c.Program)
		note(h, c.Machine)
		note(h, []any{first(c.Rules), c.NoOpenMP, c.Room, c.Name})
		noteLater(h, c)
	}
	for _, r := range rest {
		note(h, r)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// first returns the rules known to the first stores, so the keys of their studies stay the same.
func first(r sim.Rules) [sim.ConstructStates]uint8 { return [sim.ConstructStates]uint8(r[:]) }

// chosen reports a choice that is not the model dimemas's.
func chosen(choice uint8) bool { return choice != 0 }

// noteLater writes settings unknown to the first stores if they differ from the behaviour then.
func noteLater(w io.Writer, c *Case) {
	if later := c.Rules[sim.ConstructStates:]; slices.ContainsFunc(later, chosen) {
		note(w, later)
	}
	if c.NoOpenMP { // the first versions simulated the workers' computation
		note(w, "masters")
	}
}

// note writes a value; values that JSON lacks, such as infinity, as Go prints them.
func note(w io.Writer, v any) {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		fmt.Fprintf(w, "%+v\n", v)
	}
}

// densities returns the variables for Key.
func densities(base *Case, variables []Variable) (list []any) {
	for i := range variables {
		v := &variables[i]
		list = append(list, fmt.Sprint(v.Name, v.Kind, v.Args, v.Weights, v.Levels), effects(base, v.set))
	}
	return list
}

// effects returns the effects of changes on a case, for Key: a word such as the name of a configuration may refer to
// another machine next time.
func effects(base *Case, changes []func(*Case)) (list []any) {
	for _, change := range changes {
		c := base.Clone()
		change(c)
		list = append(list, c.Machine, first(c.Rules), c.NoOpenMP)
		if later := c.Rules[sim.ConstructStates:]; slices.ContainsFunc(later, chosen) {
			list = append(list, later)
		}
	}
	return list
}

// names returns the outputs for Key, with their definitions.
func names(outputs []Output) (list []string) {
	for i := range outputs {
		list = append(list, outputs[i].Name, outputs[i].Definition)
	}
	return list
}

// fingerprint writes the parts of a program that a simulation reads.
func fingerprint(w io.Writer, p *sim.Program) {
	var b []byte
	flush := func(least int) {
		if len(b) >= least {
			w.Write(b)
			b = b[:0]
		}
	}
	text := func(v ...any) { b = fmt.Append(b, v...) }
	text(p.Ptasks, p.Tasks, p.Communicators)
	for i := range p.Threads {
		t := &p.Threads[i]
		var messages, calls []int
		for row, k := range t.Kinds() {
			switch {
			case k.HasMessage():
				messages = append(messages, row)
			case k.IsCollective():
				calls = append(calls, row)
			}
		}
		text(i, t.Len(), len(messages), len(calls))
		message, call := uint32(0), uint32(0)
		for row, k := range t.Kinds() {
			arg, value := uint32(0), uint64(0)
			switch {
			case k == sim.Compute:
				value = math.Float64bits(t.Burst(row))
			case k == sim.Event:
				typ, v := t.Event(row)
				arg, value = typ, uint64(v)
			case k.HasMessage():
				arg, message = message, message+1
			case k.IsCollective():
				arg, call = call, call+1
			}
			b = append(b, byte(k))
			b = binary.LittleEndian.AppendUint32(b, arg)
			b = binary.LittleEndian.AppendUint64(b, value)
			flush(1 << 16)
		}
		for _, row := range messages {
			m := t.Message(row)
			for _, v := range []int64{m.Size, m.Tag, m.Match, int64(m.Peer)} {
				b = binary.LittleEndian.AppendUint64(b, uint64(v))
			}
			flush(1 << 16)
		}
		for _, row := range calls {
			text(*t.Call(row))
			flush(1 << 16)
		}
	}
	flush(0)
}
