package otf2

// Metrics: the event types of their members, and the conversion of readings to values.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pview/prv"
)

// Event types that Extrae does not have.
const (
	typeNative    = 44900000 // and following: counters that are not PAPI's presets
	typePreset    = 42000000
	typeParameter = 79110000 // and following
	typeLevel     = 79130000 // and following: metrics that are levels
	typeIOBytes   = 79140001
	typeRMABytes  = 50001000
)

// presets are the numbers of PAPI's presets.
var presets = map[string]uint32{"TOT_INS": 50, "TOT_CYC": 59, "L1_DCM": 0, "L2_DCM": 2, "L2_TCM": 7, "L3_TCM": 8,
	"TLB_DM": 20, "STL_ICY": 37, "BR_MSP": 46, "FP_INS": 52, "LD_INS": 53, "SR_INS": 54, "BR_INS": 55, "VEC_INS": 56,
	"RES_STL": 57, "FP_OPS": 102, "REF_CYC": 107}

// Modes of metrics, in the low four bits.
const (
	accumulated = 0
	absolute    = 1
)

// doublePrecision is the number of decimals for non-integer values.
const doublePrecision = 6

// metricKind turns the readings of a member into events.
type metricKind struct {
	typ       uint32
	label     string
	mode      uint8
	precision int
	scale     float64 // factor, also for values stored as integers; 1: none
}

// metrics are the kinds of all metrics in use.
type metrics struct {
	kinds            []metricKind
	byLabel          map[string]int32
	counters, levels uint32
}

// ownMetric is a metric of a location with its readings so far.
type ownMetric struct {
	class    int32
	kinds    []int32
	previous []int64
	read     []bool
}

// planMetrics finds the kinds of the metrics that each location uses.
func (a *archive) planMetrics() [][]ownMetric {
	a.byLabel = map[string]int32{}
	fell := map[uint32]bool{}
	type user struct {
		thread int32
		member uint32
	}
	users := map[user]int{}
	for i := range a.locs {
		l := &a.locs[i]
		for _, m := range l.fell {
			fell[m] = true
		}
		for _, k := range l.metricUse {
			for _, m := range a.classes[k].members {
				users[user{l.thread, m}]++
			}
		}
	}
	lists := make([][]ownMetric, len(a.locs))
	for i := range a.locs {
		l := &a.locs[i]
		for _, k := range l.metricUse {
			members := a.classes[k].members
			m := ownMetric{class: k, previous: make([]int64, len(members)), read: make([]bool, len(members))}
			for _, id := range members {
				suffix := ""
				if l.kind == metricOnly && users[user{l.thread, id}] > 1 {
					suffix = ", " + a.describe(l)
				}
				m.kinds = append(m.kinds, a.kindOf(id, fell[id], suffix))
			}
			lists[i] = append(lists[i], m)
		}
	}
	return lists
}

// kindOf returns the kind of a member.
func (a *archive) kindOf(id uint32, fell bool, suffix string) int32 {
	def, ok := a.members[id]
	name := a.text(def.name)
	if !ok || name == "" {
		name = fmt.Sprintf("metric %d", id)
	}
	k := metricKind{mode: def.mode & 15, label: name + suffix, scale: 1}
	if k.mode == accumulated && fell {
		k.mode = absolute
	}
	if unit := a.text(def.unit); k.mode == absolute && unit != "" && unit != "#" {
		k.label += " (" + unit + ")"
	}
	key := fmt.Sprintf("%d %d %d %d %s", k.mode, def.base, def.exponent, def.valueType, k.label)
	if i, ok := a.byLabel[key]; ok {
		return i
	}
	k.scaling(&def)
	preset, isPreset := uint32(0), false
	if rest, ok := strings.CutPrefix(name, "PAPI_"); ok && suffix == "" {
		preset, isPreset = presets[rest]
	}
	switch {
	case k.mode == absolute:
		k.typ = typeLevel + a.levels
		a.levels++
	case isPreset && !slices.ContainsFunc(a.kinds, func(o metricKind) bool { return o.typ == typePreset+preset }):
		k.typ = typePreset + preset
	default:
		k.typ = typeNative + a.counters
		a.counters++
	}
	a.kinds = append(a.kinds, k)
	a.byLabel[key] = int32(len(a.kinds)) - 1
	return int32(len(a.kinds)) - 1
}

// scaling sets the precision and scale of a member's values: value * base^exponent.
func (k *metricKind) scaling(def *memberDef) {
	base := 2.0
	if def.base == 1 {
		base = 10
	}
	e := def.exponent
	switch {
	case def.valueType == typeDouble || e < 0 && (base == 2 || e < -18):
		k.precision = doublePrecision
		k.scale = math.Pow(base, float64(e)) * 1e6
	case e < 0:
		k.precision = int(-e)
	case e > 0:
		k.scale = math.Pow(base, float64(e))
	}
}

// value converts a reading to an event value, with the kind's decimals.
func (k *metricKind) value(v metricValue) int64 {
	if v.typ == typeDouble {
		scale := k.scale
		if k.precision != doublePrecision {
			scale *= math.Pow10(k.precision)
		}
		return rounded(math.Float64frombits(v.value) * scale)
	}
	if k.scale == 1 {
		return int64(v.value)
	}
	if k.scale == math.Trunc(k.scale) && k.scale < 1<<53 {
		if n, ok := product(int64(v.value), int64(k.scale)); ok {
			return n
		}
	}
	return rounded(v.float() * k.scale)
}

// product multiplies without overflow.
func product(a, b int64) (int64, bool) {
	n := a * b
	return n, a == 0 || n/a == b
}

// rounded returns the nearest possible event value.
func rounded(f float64) int64 {
	switch f = math.RoundToEven(f); {
	case math.IsNaN(f):
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// addMetricLabels names the types of metrics.
func (a *archive) addMetricLabels(l *prv.Labels) {
	for i := range a.kinds {
		k := &a.kinds[i]
		l.AddSection([]prv.EventType{{Type: k.typ, Label: k.label}}, nil, k.precision)
	}
}
