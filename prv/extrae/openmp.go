package extrae

import "pview/prv"

// Values of the events of a lock.
const (
	LockFree     = 0
	LockAsked    = 3
	LockReleases = 5
	LockTaken    = 6
)

var (
	end       = prv.ValueLabel{Value: 0, Label: "End"}
	beginning = []prv.ValueLabel{end, {Value: 1, Label: "Begin"}}
	lockSteps = []prv.ValueLabel{{Value: LockFree, Label: "Unlocked status"}, {Value: LockAsked, Label: "Lock"},
		{Value: LockReleases, Label: "Unlock"}, {Value: LockTaken, Label: "Locked status"}}
)

// OpenMPTypes are the event types of OpenMP's constructs, with their labels; those of functions are in OpenMPFunctions.
var OpenMPTypes = []struct {
	Type   uint32
	Label  string
	Values []prv.ValueLabel
}{
	{OpenMPParallel, "Parallel (OMP)", []prv.ValueLabel{{Value: 0, Label: "close"},
		{Value: 3, Label: "REGION (open)"}}},
	{OpenMPWorksharing, "Worksharing (OMP)", []prv.ValueLabel{end, {Value: 4, Label: "DO (open)"},
		{Value: 5, Label: "SECTIONS (open)"}, {Value: 6, Label: "SINGLE (open)"}}},
	{OpenMPBarrier, "OpenMP barrier", beginning},
	{OpenMPLock, "OpenMP unnamed critical section", lockSteps},
	{OpenMPNamedLock, "OpenMP named critical section", lockSteps},
	{OpenMPTaskwait, "OpenMP taskwait", beginning},
	{OpenMPTaskID, "OpenMP task identifier", nil},
}

// OpenMPFunctions are the event types of the code that threads execute, with their labels. The values are the trace's
// own.
var OpenMPFunctions = []struct {
	Type  uint32
	Label string
}{{OpenMPOutlined, "Executed OpenMP parallel function"}, {OpenMPExecute, "Executed OpenMP task function"},
	{OpenMPCreate, "Instantiated OpenMP task function"}}
