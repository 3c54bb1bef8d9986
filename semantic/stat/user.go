package stat

import (
	"context"

	"pview/filter"
	"pview/prv"
	"pview/semantic"
	"pview/semantic/expr"
)

// Record holds the variables of a user function of the analyzer. Numbers of
// objects count from 1 over the whole trace; times are in the window's unit.
type Record struct {
	Kind     string `expr:"kind" doc:"state, event, logical send, physical send, logical receive or physical receive"`
	State    bool   `expr:"state" doc:"the record is the begin or end of a state"`
	Opens    bool   `expr:"opens" doc:"the record is the begin of a state; its end has begin and end exchanged"`
	Event    bool   `expr:"event" doc:"the record is an event"`
	Comm     bool   `expr:"comm" doc:"the record is one of the four times of a communication"`
	Send     bool   `expr:"send" doc:"the record is a send"`
	Recv     bool   `expr:"recv" doc:"the record is a receive"`
	Logical  bool   `expr:"logical" doc:"the record is the program's send or receive"`
	Physical bool   `expr:"physical" doc:"the record is the network's send or receive"`

	Time  float64 `expr:"time" doc:"time of the record"`
	Begin float64 `expr:"begin" doc:"begin of the state; send of a communication (logical or physical as the record is); time of an event"`
	End   float64 `expr:"end" doc:"end of the state; receive of a communication (logical or physical as the record is); time of an event"`

	Value float64 `expr:"value" doc:"number of the state; value of the event"`
	Type  float64 `expr:"type" doc:"type of the event; 0 in other records"`
	Size  float64 `expr:"size" doc:"bytes of the communication; 0 in other records"`
	Tag   float64 `expr:"tag" doc:"tag of the communication; 0 in other records"`

	Partner float64 `expr:"partner" doc:"number of the thread at the other end of the communication; 0 in other records"`
	Thread  float64 `expr:"thread" doc:"number of the thread"`
	Task    float64 `expr:"task" doc:"number of the task"`
	Ptask   float64 `expr:"ptask" doc:"number of the application"`
	CPU     float64 `expr:"cpu" doc:"number of the CPU; 0 when unknown"`
	Node    float64 `expr:"node" doc:"number of the node that the thread is on; 0 when unknown"`
}

// UserFunction compiles an expression over the fields of a Record, for a window with a unit of time. The error, an
// *expr.Error, says where it is wrong and why.
func UserFunction(text string, u semantic.Unit) (*expr.Program, error) {
	return expr.Compile(text, Record{}, semantic.Units[u].Nanoseconds)
}

// UserSums computes a user function for each row of a query: its sum over the records in the interval. A state has two
// records, at its begin and at its end, an event has one, a communication has four: two of the sender's row and two of
// the receiver's. Events and communications that do not pass the window's filter have none; its flags for logical and
// physical times do not count, since a function can tell the records apart.
//
// The sums are in the order of the query's rows. The error is the function's or ctx's.
func UserSums(ctx context.Context, t *prv.Trace, q Query, f *expr.Program, opt Options) ([]float64, error) {
	j, err := newRows(t, q.Window, q.Rows, q.Range, opt)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, len(j.rows))
	pass := j.h.Control.Filter.Compile(t, j.h.Control.Level, j.controlTime.perUnit())
	machines := make([]expr.Machine, j.opt.Workers)
	err = j.each(ctx, len(j.rows), func(worker, i int) error {
		u := user{job: j, pass: pass, program: f, machine: &machines[worker], object: j.rows[i]}
		err := u.row(ctx)
		sums[i] = u.sum
		return err
	})
	if err != nil {
		return nil, err
	}
	return sums, nil
}

// user goes through the records of a row.
type user struct {
	*job
	pass    *filter.Pass
	program *expr.Program
	machine *expr.Machine
	object  int

	record Record
	sum    float64
}

func (u *user) row(ctx context.Context) error {
	level := u.h.Control.Level
	for th := range u.t.Threads {
		if !level.IsResource() && objectAbove(u.t, prv.LevelThread, th, level) != u.object {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		u.of(int32(th))
		for _, part := range []func(th int32) error{u.states, u.events, u.comms} {
			if err := part(int32(th)); err != nil {
				return err
			}
		}
	}
	return nil
}

// of fills in what is the same in all records of a thread.
func (u *user) of(th int32) {
	task := u.t.ThreadTask[th]
	u.record = Record{Thread: float64(th + 1), Task: float64(task + 1), Ptask: float64(u.t.Tasks[task].Ptask + 1),
		Node: float64(u.t.Tasks[task].Node + 1)}
}

// mine reports whether a record of the thread counts for the row, and notes its CPU
// and time.
func (u *user) mine(time int64, cpu int32) bool {
	if !u.holds(time) || u.h.Control.Level.IsResource() && u.objectOfCPU(cpu) != u.object {
		return false
	}
	u.record.CPU, u.record.Time = float64(cpu), u.time(time)
	return true
}

func (u *user) time(t int64) float64 { return u.controlTime.of(float64(t)) }

// add adds the function's value for the record.
func (u *user) add() error {
	v, err := u.machine.Number(u.program, &u.record)
	u.sum += v
	return err
}

func (u *user) states(th int32) error {
	t := &u.t.Threads[th]
	r := &u.record
	r.Kind, r.State = "state", true
	for i, begin := range t.States.Begin {
		cpu, end := t.StateCPU(i), t.States.End[i]
		r.Value = float64(t.States.Value[i])
		if r.Begin, r.End, r.Opens = u.time(begin), u.time(end), true; u.mine(begin, cpu) {
			if err := u.add(); err != nil {
				return err
			}
		}
		if end == prv.NoEnd {
			continue
		}
		if r.Begin, r.End, r.Opens = u.time(end), u.time(begin), false; u.mine(end, cpu) {
			if err := u.add(); err != nil {
				return err
			}
		}
	}
	r.State, r.Opens = false, false
	return nil
}

func (u *user) events(th int32) error {
	t := &u.t.Threads[th]
	r := &u.record
	r.Kind, r.Event = "event", true
	for i, time := range t.Events.Time {
		if !u.pass.Events.Has(t.Events.Type[i], t.Events.Value.At(i)) || !u.mine(time, t.EventCPU(i)) {
			continue
		}
		r.Begin, r.End = r.Time, r.Time
		r.Type, r.Value = float64(t.Events.Type[i]), u.pass.Events.Value(t.Events.Type[i], t.Events.Value.At(i))
		if err := u.add(); err != nil {
			return err
		}
	}
	r.Event, r.Type, r.Value = false, 0, 0
	return nil
}

func (u *user) comms(th int32) error {
	c := &u.t.Comms
	r := &u.record
	r.Comm = true
	for _, role := range []prv.Role{prv.LogicalSend, prv.PhysicalSend, prv.LogicalRecv, prv.PhysicalRecv} {
		send, recv, partner := prv.LogicalSend, prv.LogicalRecv, c.Recv
		if !role.IsLogical() {
			send, recv = prv.PhysicalSend, prv.PhysicalRecv
		}
		if !role.IsSend() {
			partner = c.Send
		}
		r.Kind, r.Send, r.Recv, r.Logical, r.Physical = role.String(), role.IsSend(), !role.IsSend(), role.IsLogical(),
			!role.IsLogical()
		for _, k := range u.t.Threads[th].Comm[role] {
			i := int(k)
			if !u.pass.Comms.Has(i) || !u.pass.Comms.Partner(i, role) ||
				!u.mine(c.Times[role][i], u.t.CommCPU(i, role)) {
				continue
			}
			r.Begin, r.End = u.time(c.Times[send][i]), u.time(c.Times[recv][i])
			r.Size, r.Tag, r.Partner = float64(c.Size[i]), float64(c.Tag[i]), float64(partner[i]+1)
			if err := u.add(); err != nil {
				return err
			}
		}
	}
	return nil
}
