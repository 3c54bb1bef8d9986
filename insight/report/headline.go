package report

// Headline opens the answer on a run: its efficiency factors, and a sentence or two.
type Headline struct {
	Factors []Figure // the largest part first: parallel efficiency, then its factors, as far as they have values
	Lines   []Line   // the most important first; none if the trace has no states
	// Streams is the number of threads that are streams of devices. If not 0, the lines are about the devices, and no
	// findings replace them: findings treat streams as processors.
	Streams int
}

// Figure is a factor with its value in percent. Short and Abbr are names for titles with little room.
type Figure struct {
	Title, Short, Abbr string
	Value              float64
}

// Line is a sentence about a run, and what supports it.
type Line struct {
	Sentence string
	Shorter  []string // for lack of room for Sentence, the longest first; none: its first part
	Evidence Place
	Opens    Opens
	Finding  int // with Findings: index of the finding to open
}

// Place is a place in the trace that shows a sentence.
type Place struct {
	Begin, End int64 // trace units; equal: the whole run
	Threads    []int // the first is the one to look at; none: no thread in particular
}

// Opens is the view that shows more of a sentence.
type Opens uint8

// The views.
const (
	Nothing    Opens = iota // the evidence is enough
	Efficiency              // the factors and the useful time of each thread
	Findings                // a finding, with its formula and evidence
	Account                 // where the time of all threads went
)
