package remedy

import "pview/insight/report"

// The rules of the candidates. Those up to R40 are rules of package diagnose as well, which estimate the same losses
// without a simulation.
const (
	PipeliningID        report.RuleID = "R03"
	CombiningID         report.RuleID = "R04"
	ChainID             report.RuleID = "R05"
	BottleneckID        report.RuleID = "R06"
	GrainID             report.RuleID = "R07"
	LargeTasksID        report.RuleID = "R08"
	InitialisationID    report.RuleID = "R09"
	CountImbalanceID    report.RuleID = "R12"
	GrainImbalanceID    report.RuleID = "R13"
	OverheadImbalanceID report.RuleID = "R14"
	RolesID             report.RuleID = "R15"
	LocalityID          report.RuleID = "R17"
	SlowMessagesID      report.RuleID = "R31"
	SlowCollectivesID   report.RuleID = "R32"
	LateReceiversID     report.RuleID = "R36"
	TeamSerialID        report.RuleID = "R37"
	MastersID           report.RuleID = "R39"
	NoiseID             report.RuleID = "R41"
	ClockID             report.RuleID = "R42"
	SerialID            report.RuleID = "R43"
	ReplicatedID        report.RuleID = "R44"
	LateSendersID       report.RuleID = "R45"
	BarriersID          report.RuleID = "R46"
	OverlapID           report.RuleID = "R47"
	StartUpID           report.RuleID = "R48"
)

// Entry is a kind of change to try.
type Entry struct {
	Doc string // what the simulation changes
	// Rank decides which of several candidates for the same loss is reported: the lowest.
	Rank  int
	Alone bool // never the same loss as another entry's
	Find  func(r *Run) []*Candidate
}

// entries are the kinds of changes to try.
var entries = []Entry{
	{Doc: "each thread has its own core", Rank: 1, Find: noise},
	{Doc: "all threads have the clock of the others", Rank: 1, Find: clocks},
	{Doc: "tasks are handed out in another order, to more workers, several at a time, by a faster master", Rank: 1,
		Find: farms},
	{Doc: "code that few threads execute is spread over all", Rank: 2, Find: serial},
	{Doc: "work that all threads do alike is divided among them", Rank: 2, Find: replicated},
	{Doc: "work before an exchange moves to where the other threads do it", Rank: 2, Find: lateStarts},
	{Doc: "tasks are placed on other nodes", Rank: 2, Find: mapped},
	{Doc: "a region takes as long on all threads", Rank: 3, Find: uneven},
	{Doc: "barriers are removed", Rank: 3, Alone: true, Find: needless},
	{Doc: "rows of small messages become one", Rank: 3, Find: packed},
	{Doc: "a region takes as long on all threads, each time", Rank: 4, Find: moving},
	{Doc: "messages are sent in parts, as they are ready", Rank: 4, Find: piped},
	{Doc: "collective operations take as long as their network needs", Rank: 5, Find: slowOperations},
	{Doc: "computation continues during an exchange", Rank: 6, Find: overlapped},
	{Doc: "messages carry hardly any bytes", Rank: 7, Find: oversized},
}
