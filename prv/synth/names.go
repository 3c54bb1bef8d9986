package synth

import (
	"fmt"

	"pview/prv"
	"pview/prv/extrae"
)

// The numbers of states and events are Extrae's.

const (
	stateIdle            = 0
	stateRunning         = 1
	stateNotCreated      = 2
	stateRecv            = 3
	stateSend            = 4
	stateSynchronization = 5
	stateForkJoin        = 7
	stateWait            = 8
	stateIsend           = 10
	stateIrecv           = 11
	stateIO              = 12
	stateGroup           = 13
	stateOthers          = 15
	stateSendrecv        = 16
)

var states = []struct {
	label string
	color prv.RGB
}{
	{"Idle", prv.RGB{R: 117, G: 195, B: 255}},
	{"Running", prv.RGB{R: 0, G: 0, B: 255}},
	{"Not created", prv.RGB{R: 255, G: 255, B: 255}},
	{"Waiting a message", prv.RGB{R: 255, G: 0, B: 0}},
	{"Blocking Send", prv.RGB{R: 255, G: 0, B: 174}},
	{"Synchronization", prv.RGB{R: 179, G: 0, B: 0}},
	{"Test/Probe", prv.RGB{R: 0, G: 255, B: 0}},
	{"Scheduling and Fork/Join", prv.RGB{R: 255, G: 255, B: 0}},
	{"Wait/WaitAll", prv.RGB{R: 235, G: 0, B: 0}},
	{"Blocked", prv.RGB{R: 0, G: 162, B: 0}},
	{"Immediate Send", prv.RGB{R: 255, G: 0, B: 255}},
	{"Immediate Receive", prv.RGB{R: 100, G: 100, B: 177}},
	{"I/O", prv.RGB{R: 172, G: 174, B: 41}},
	{"Group Communication", prv.RGB{R: 255, G: 144, B: 26}},
	{"Tracing Disabled", prv.RGB{R: 2, G: 255, B: 177}},
	{"Others", prv.RGB{R: 192, G: 224, B: 0}},
	{"Send Receive", prv.RGB{R: 66, G: 66, B: 66}},
}

const (
	typePhase        = 1000
	typeIteration    = 1001
	typeResidual     = 1002
	typeClass        = 1003
	typeApplication  = 40000001
	typeCPU          = 40000033
	typeInstructions = extrae.Instructions
	typeCycles       = extrae.Cycles
	typePointToPoint = extrae.MPIPointToPoint
	typeCollective   = extrae.MPICollective
	typeOtherMPI     = extrae.MPIOther
	typeFile         = extrae.MPIFile
	typeFileSize     = 50000110
	typeSendSize     = extrae.CollectiveSent
	typeRecvSize     = extrae.CollectiveRecv
	typeCommunicator = extrae.CollectiveComm
	typeParallel     = extrae.OpenMPParallel
	typeOutlined     = extrae.OpenMPOutlined
	typeFunction     = extrae.UserFunction
	typeFunctionLine = 60000119
	typeCaller       = extrae.FirstCaller + 1
	typeCallerLine   = extrae.FirstCallerLine + 1
)

// residualDigits is the precision of typeResidual.
const residualDigits = 6

const (
	functionMain = iota + 1
	functionStep
	functionInput
	functionKernel
	functionBorder
	functionHalo
	functionResidual
	functionSweep
	functionTranspose
	functionCheckpoint
)

// functions are the functions of the program: instructions per 1000 cycles, and their places in the source.
var functions = [...]struct {
	name string
	line int
	ipc  int64
}{
	functionMain:       {"main", 12, 900},
	functionStep:       {"step", 40, 900},
	functionInput:      {"read_input", 71, 600},
	functionKernel:     {"update_cells", 118, 1850},
	functionBorder:     {"update_border", 162, 1100},
	functionHalo:       {"exchange_halo", 195, 700},
	functionResidual:   {"sum_residual", 230, 1400},
	functionSweep:      {"sweep", 251, 1250},
	functionTranspose:  {"transpose", 298, 820},
	functionCheckpoint: {"write_checkpoint", 340, 500},
}

// sourceFile is the file of the functions.
const sourceFile = "cells.c"

// callLine numbers the source line of a call in a function.
func callLine(f int64, c call, level int) int64 {
	if level > 0 {
		return f*64 + int64(level)
	}
	return f*64 + c.value%60 + 3
}

// Labels returns the labels of everything in traces of this package.
func (g *Generator) Labels() *prv.Labels {
	l := &prv.Labels{
		Options: []prv.Setting{
			{Name: "LEVEL", Value: "THREAD"}, {Name: "UNITS", Value: "NANOSEC"}, {Name: "LOOK_BACK", Value: "100"},
			{Name: "SPEED", Value: "1"}, {Name: "FLAG_ICONS", Value: "ENABLED"},
			{Name: "NUM_OF_STATE_COLORS", Value: "1000"},
			{Name: "YMAX_SCALE", Value: "37"},
		},
		Semantic: []prv.Setting{{Name: "THREAD_FUNC", Value: "State As Is"}},
	}
	for i, s := range states {
		l.AddState(int64(i), s.label)
		l.AddColor(int64(i), s.color)
	}
	addMPI(l)
	addProgram(l)
	if !g.opt.NoCounters {
		l.AddSection([]prv.EventType{
			{Gradient: 7, Type: typeInstructions, Label: "PAPI_TOT_INS [Instr completed]"},
			{Gradient: 7, Type: typeCycles, Label: "PAPI_TOT_CYC [Total cycles]"},
		}, nil, 0)
	}
	if g.opt.Threads > 1 {
		l.AddType(typeParallel, "Parallel (OMP)", prv.ValueLabel{Value: 0, Label: "close"},
			prv.ValueLabel{Value: 1, Label: "DO (open)"})
		l.AddSection([]prv.EventType{{Type: typeOutlined, Label: "Executed OpenMP parallel function"}},
			functionLabels("._omp_fn.0"), 0)
	}
	addCallers(l, g.opt.Callers)
	return l
}

func addMPI(l *prv.Labels) {
	outside := prv.ValueLabel{Value: 0, Label: extrae.OutsideMPI}
	l.AddSection([]prv.EventType{{Gradient: 9, Type: typePointToPoint, Label: "MPI Point-to-point"}}, []prv.ValueLabel{
		{Value: 1, Label: "MPI_Send"}, {Value: 2, Label: "MPI_Recv"}, {Value: 3, Label: "MPI_Isend"},
		{Value: 4, Label: "MPI_Irecv"},
		{Value: 6, Label: "MPI_Waitall"}, {Value: 41, Label: "MPI_Sendrecv"}, outside,
	}, 0)
	l.AddSection([]prv.EventType{{Gradient: 9, Type: typeCollective, Label: "MPI Collective Comm"}}, []prv.ValueLabel{
		{Value: 7, Label: "MPI_Bcast"}, {Value: 8, Label: "MPI_Barrier"}, {Value: 10, Label: "MPI_Allreduce"},
		{Value: 11, Label: "MPI_Alltoall"}, outside,
	}, 0)
	l.AddSection([]prv.EventType{{Gradient: 9, Type: typeOtherMPI, Label: "MPI Other"}}, []prv.ValueLabel{
		{Value: 19, Label: "MPI_Comm_rank"}, {Value: 31, Label: "MPI_Init"}, {Value: 32, Label: "MPI_Finalize"},
		outside,
	}, 0)
	l.AddSection([]prv.EventType{{Gradient: 9, Type: typeFile, Label: "MPI I/O"}}, []prv.ValueLabel{
		{Value: 147, Label: "MPI_File_read_at"}, {Value: 149, Label: "MPI_File_write_at"}, outside,
	}, 0)
	l.AddType(typeFileSize, "MPI-IO size in bytes")
	l.AddSection([]prv.EventType{
		{Gradient: 1, Type: typeSendSize, Label: extrae.SentLabel},
		{Gradient: 1, Type: typeRecvSize, Label: extrae.ReceivedLabel},
		{Gradient: 1, Type: typeCommunicator, Label: extrae.CommunicatorLabel},
	}, nil, 0)
}

func addProgram(l *prv.Labels) {
	l.AddSection([]prv.EventType{{Gradient: 6, Type: typeApplication, Label: "Application"}},
		[]prv.ValueLabel{{Value: 0, Label: "End"}, {Value: 1, Label: "Begin"}}, 0)
	l.AddType(typeCPU, "Executing CPU")
	l.AddSection([]prv.EventType{{Type: typeFunction, Label: "User function"}}, functionLabels(""), 0)
	var lines []prv.ValueLabel
	for i, f := range functions[1:] {
		lines = append(lines, prv.ValueLabel{Value: int64(i + 1),
			Label: fmt.Sprintf("%d (%s, cells)", f.line, sourceFile)})
	}
	l.AddType(typeFunctionLine, "User function line", append([]prv.ValueLabel{{Value: 0, Label: "End"}}, lines...)...)
	l.AddType(typePhase, "Phase", phaseLabels()...)
	l.AddType(typeIteration, "Iteration")
	l.AddSection([]prv.EventType{{Type: typeResidual, Label: "Residual"}}, nil, residualDigits)
	l.AddType(typeClass, "Task class", prv.ValueLabel{Value: 0, Label: "none"},
		prv.ValueLabel{Value: 1, Label: "small"},
		prv.ValueLabel{Value: 2, Label: "medium"}, prv.ValueLabel{Value: 3, Label: "large"})
}

// functionLabels names the functions; with a suffix, as the compiler names their parallel parts.
func functionLabels(suffix string) []prv.ValueLabel {
	list := []prv.ValueLabel{{Value: 0, Label: "End"}}
	for i, f := range functions[1:] {
		list = append(list, prv.ValueLabel{Value: int64(i + 1), Label: f.name + suffix})
	}
	return list
}

func addCallers(l *prv.Labels, levels int) {
	var callers, lines []prv.EventType
	for level := range levels {
		callers = append(callers, prv.EventType{Type: typeCaller + uint32(level),
			Label: fmt.Sprintf("Caller at level %d", level+1)})
		lines = append(lines, prv.EventType{Type: typeCallerLine + uint32(level),
			Label: fmt.Sprintf("Caller line at level %d", level+1)})
	}
	l.AddSection(callers, functionLabels(""), 0)
	values := []prv.ValueLabel{{Value: 0, Label: "End"}}
	for i, f := range functions[1:] {
		for k := range int64(63) {
			values = append(values, prv.ValueLabel{Value: int64(i+1)*64 + k + 1,
				Label: fmt.Sprintf("%d (%s, cells)", f.line+int(k)/2, sourceFile)})
		}
	}
	l.AddSection(lines, values, 0)
}

// Names returns the names of CPUs, nodes and threads, as Extrae spells them.
func (g *Generator) Names() *prv.Names {
	n := &prv.Names{}
	r := &g.head.Resources
	for i := range r.Nodes {
		n.Levels[prv.LevelNode] = append(n.Levels[prv.LevelNode], fmt.Sprintf("node%d", i+1))
	}
	width := len(fmt.Sprint(r.NumCPUs()))
	for cpu := int32(1); cpu <= int32(r.NumCPUs()); cpu++ {
		n.Levels[prv.LevelCPU] = append(n.Levels[prv.LevelCPU],
			fmt.Sprintf("%0*d.node%d", width, cpu, r.CPUNode(cpu)+1))
	}
	for th := range r.NumThreads() {
		n.Levels[prv.LevelThread] = append(n.Levels[prv.LevelThread], r.DefaultName(prv.LevelThread, th))
	}
	return n
}
