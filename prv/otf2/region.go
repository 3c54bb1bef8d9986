package otf2

// Regions: their events and states.

import (
	"fmt"
	"strings"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/extrae/device"
)

// Roles of regions.
const (
	roleFunction        = 1
	roleWrapper         = 2
	roleLoop            = 3
	roleParallel        = 5
	roleSections        = 6
	roleSection         = 7
	roleWorkshare       = 8
	roleSingle          = 9
	roleSingleBlock     = 10
	roleMaster          = 11
	roleCritical        = 12
	roleCriticalBlock   = 13
	roleAtomic          = 14
	roleBarrier         = 15
	roleImplicitBarrier = 16
	roleFlush           = 17
	roleOrdered         = 18
	roleOrderedBlock    = 19
	roleTask            = 20
	roleTaskCreate      = 21
	roleTaskWait        = 22
	roleOneToAll        = 23
	roleOtherCollective = 26
	roleFileIO          = 27
	rolePointToPoint    = 28
	roleRMA             = 29
	roleTransfer        = 30
	roleArtificial      = 31
	roleTaskUntied      = 34
	roleFileMetadata    = 38
)

// class is how a region is shown.
type class uint8

const (
	userFunction class = iota
	mpiRegion
	tracerRegion // the tracer's own: makes no events
	ioRegion
	acceleratorRegion
	// OpenMP.
	parallelRegion
	implicitTask // of EZTrace: a thread's work in a team
	simpleConstruct
	criticalRegion
	taskRegion
	taskCreateRegion
)

// region has the event and state of regions of the archive: those with the same name, class and place share it.
type region struct {
	name  string
	class class
	role  uint8
	place string // file and line
	// typ and value are the event at its begin; at its end the value is 0. typ is 0 if it has no events.
	typ   uint32
	value int64
	state uint8
	used  bool
	// sendsAtOnce: the message leaves when the call begins (MPI_Sendrecv).
	sendsAtOnce bool
}

// regionKey identifies a region: definitions with the same key share it.
type regionKey struct {
	name, place string
	class       class
	role        uint8
}

// regions are the regions of the archive.
type regions struct {
	list []region
	of   []int32 // by number of the definition
	// labels lists the used regions by event type, in the order of first use.
	labels map[uint32][]int32
	others map[uint32]int64 // calls that Extrae does not number, by type
	// streamed maps regions to their forms on device streams: kernels, collectives or copies.
	streamed map[int32]int32
}

// makeRegions makes the regions of all definitions, without values.
func makeRegions(d *definitions) *regions {
	r := &regions{labels: map[uint32][]int32{}, others: map[uint32]int64{}, streamed: map[int32]int32{}}
	known := map[regionKey]int32{}
	for i := range d.regions {
		r.of = append(r.of, r.add(d, &d.regions[i], known))
	}
	return r
}

func (r *regions) add(d *definitions, def *regionDef, known map[regionKey]int32) int32 {
	name, ok := d.strings[def.name]
	if name = prv.Clean(name); def.undefined || !ok {
		name = fmt.Sprintf("region %d", def.id)
	}
	place := ""
	if def.file != undefined && def.begin != undefined && def.begin > 0 {
		if file := d.text(def.file); file != "" && file != "<unknown>" {
			place = fmt.Sprintf("%s:%d", file, def.begin)
		}
	}
	g := region{name: name, role: def.role, place: place, state: noState}
	g.classify(def)
	key := regionKey{g.name, g.place, g.class, 0}
	if g.class == simpleConstruct {
		key.role = def.role
	}
	if k, ok := known[key]; ok {
		return k
	}
	k := int32(len(r.list))
	known[key] = k
	r.list = append(r.list, g)
	return k
}

// regionOf returns the region of a definition; -1 for -1, an undefined one.
func (r *regions) regionOf(def int32) int32 {
	if def < 0 {
		return -1
	}
	return r.of[def]
}

// onStream returns the form of a region on a device stream: a kernel, collective or copy.
func (r *regions) onStream(k int32) int32 {
	if n, ok := r.streamed[k]; ok {
		return n
	}
	n, g := k, r.list[k]
	if g.class == userFunction || g.class == acceleratorRegion {
		g.class = acceleratorRegion
		if g.state = device.StateOf(g.name); g.role == roleTransfer {
			g.state = stateTransfer
		}
		g.typ, g.value, g.used = device.TypeOf(uint32(g.state)), 0, false
		n = int32(len(r.list))
		r.list = append(r.list, g)
	}
	r.streamed[k] = n
	return n
}

// ezRoles gives EZTrace's regions roles by name: they are recorded without.
var ezRoles = map[string]uint8{"OpenMP parallel": roleParallel, "OpenMP loop": roleLoop,
	"OpenMP barrier": roleBarrier, "OpenMP implicit barrier": roleImplicitBarrier, "OpenMP task": roleTask,
	"OpenMP acquire mutex": roleCritical, "OpenMP single": roleSingle, "OpenMP sections": roleSections,
	"OpenMP taskwait": roleTaskWait}

// ezImplicitTask is EZTrace's region for the work of each thread of a team.
const ezImplicitTask = "OpenMP implicit task"

// classify finds the class of a region, its event type and state.
func (g *region) classify(def *regionDef) {
	if name, isMPI := mpiName(g.name); isMPI {
		g.name = name
		g.mpi(def)
		return
	}
	if role, ok := ezRoles[g.name]; ok && def.paradigm == paradigmUser {
		g.role = role
		g.openMP()
		return
	}
	switch {
	case def.paradigm == paradigmMPI:
		g.mpi(def)
	case g.name == ezImplicitTask && def.paradigm == paradigmUser:
		g.class, g.typ, g.state = implicitTask, extrae.OpenMPOutlined, stateRunning
	case def.role == roleArtificial || def.paradigm == paradigmMeasurement || g.name == "EZTrace finalize":
		g.class = tracerRegion
	case def.paradigm == paradigmOpenMP && g.openMP():
	case def.role == roleFileIO || def.role == roleFileMetadata:
		g.class, g.typ, g.state = ioRegion, extrae.UserFunction, stateIO
	case def.role == roleTransfer:
		g.class, g.typ, g.state = acceleratorRegion, extrae.UserFunction, stateTransfer
	case def.paradigm == paradigmCUDA || def.paradigm == paradigmOpenCL || def.paradigm == paradigmHIP:
		g.accelerator(device.Call, stateOthers)
	case def.paradigm == paradigmHMPP || def.paradigm == paradigmOpenACC: // constructs that contain host code
		g.accelerator(extrae.UserFunction, g.state)
	default:
		g.typ = extrae.UserFunction
	}
}

// mpi classifies a call of MPI.
func (g *region) mpi(def *regionDef) {
	g.class, g.place = mpiRegion, ""
	rest := strings.TrimPrefix(g.name, "MPI_")
	g.sendsAtOnce = strings.HasPrefix(rest, "Sendrecv")
	if c, ok := extrae.MPICalls[rest]; ok {
		g.typ, g.value, g.state = c.Type, c.Value, c.State
		return
	}
	g.typ = mpiType(g.name, def.role)
	g.state = extrae.MPIStates[g.typ]
	if strings.HasPrefix(rest, "Test") {
		g.state = 8
	}
}

// accelerator classifies a call of an accelerator's interface; state is for calls that do not wait.
func (g *region) accelerator(typ uint32, state uint8) {
	g.class, g.typ, g.state = acceleratorRegion, typ, state
	if waitsForDevice(g.name) {
		g.state = stateSync
	}
}

// waitsForDevice reports whether a call of an accelerator's interface waits for the device: cudaDeviceSynchronize,
// hipStreamSynchronize, clFinish, acc_wait.
func waitsForDevice(name string) bool {
	for _, part := range []string{"Synchronize", "clFinish", "clWaitForEvents", "acc_wait", "acc wait"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// openMP classifies a region of OpenMP by its role, and reports whether it is anything but a user function.
func (g *region) openMP() bool {
	set := func(c class, typ uint32, value int64, state uint8) bool {
		g.class, g.typ, g.value, g.state = c, typ, value, state
		return true
	}
	switch g.role {
	case roleParallel:
		return set(parallelRegion, extrae.OpenMPOutlined, 0, stateForkJoin)
	case roleLoop, roleWorkshare:
		return set(simpleConstruct, extrae.OpenMPWorksharing, 4, stateRunning)
	case roleSections:
		return set(simpleConstruct, extrae.OpenMPWorksharing, 5, stateRunning)
	case roleSingle:
		return set(simpleConstruct, extrae.OpenMPWorksharing, 6, stateRunning)
	case roleBarrier, roleImplicitBarrier:
		return set(simpleConstruct, extrae.OpenMPBarrier, 1, stateSync)
	case roleTaskWait:
		return set(simpleConstruct, extrae.OpenMPTaskwait, 1, stateSync)
	case roleCritical:
		typ := uint32(extrae.OpenMPLock)
		if g.isNamed() {
			typ = extrae.OpenMPNamedLock
		}
		return set(criticalRegion, typ, extrae.LockAsked, stateSync)
	case roleTask, roleTaskUntied:
		return set(taskRegion, extrae.OpenMPExecute, 0, stateRunning)
	case roleTaskCreate:
		return set(taskCreateRegion, extrae.OpenMPCreate, 0, stateForkJoin)
	}
	return false
}

// isNamed reports whether a critical region has a name: "!$omp critical (update) @file:12".
func (g *region) isNamed() bool {
	_, rest, ok := strings.Cut(g.name, "critical")
	if !ok {
		return false
	}
	rest, _, _ = strings.Cut(rest, "@")
	return strings.Trim(rest, " ()") != ""
}

// use gives a region its value, unless it has one: regions are numbered per type, in the order of first use.
func (r *regions) use(k int32) {
	g := &r.list[k]
	if g.used || g.typ == 0 {
		return
	}
	g.used = true
	switch {
	case g.value != 0:
	case g.class == mpiRegion:
		r.others[g.typ]++
		g.value = extrae.FirstOtherMPICall + r.others[g.typ]
	default:
		g.value = int64(len(r.labels[g.typ])) + 1
	}
	r.labels[g.typ] = append(r.labels[g.typ], k)
}
