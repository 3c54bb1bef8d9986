package prv

// Header is the content of a trace's header.
type Header struct {
	Date string
	Unit Unit
	End  int64
	Resources
	Communicators []Communicator

	notes []string // remarks on how a file writes it
}

// Pair is one type:value pair of an event line.
type Pair struct {
	Type  uint32
	Value int64
}

// Comm is one communication. Threads are 0-based over the trace, CPUs 1-based
// over all nodes (0 unknown), times by Role, Size in bytes.
type Comm struct {
	Send, Recv       int32
	SendCPU, RecvCPU int32
	Times            [4]int64
	Size, Tag        int64
}
