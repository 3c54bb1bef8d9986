package workload

// The files of BSC's clustering suite: settings in XML, the table of clusters, the table of bursts.

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// xmlDefinition mirrors the settings file.
type xmlDefinition struct {
	XMLName         xml.Name  `xml:"clustering_definition"`
	UseDuration     string    `xml:"use_duration,attr"`
	ApplyLog        string    `xml:"apply_log,attr"`
	Normalize       string    `xml:"normalize_data,attr"`
	DurationFilter  string    `xml:"duration_filter,attr"`
	ThresholdFilter string    `xml:"threshold_filter,attr"`
	Algorithm       xmlMethod `xml:"clustering_algorithm"`
	Parameters      xmlEvents `xml:"clustering_parameters"`
	Extra           xmlEvents `xml:"extrapolation_parameters"`
}

type xmlMethod struct {
	Name      string `xml:"name,attr"`
	Epsilon   string `xml:"epsilon"`
	MinPoints string `xml:"min_points"`
	K         string `xml:"k"`
}

type xmlEvents struct {
	Single []xmlEvent `xml:"single_event"`
	Mixed  []xmlEvent `xml:"mixed_events"`
}

type xmlEvent struct {
	Log       string `xml:"apply_log,attr"`
	Name      string `xml:"name,attr"`
	Operation string `xml:"operation,attr"`
	Type      string `xml:"event_type"`
	TypeA     string `xml:"event_type_a"`
	TypeB     string `xml:"event_type_b"`
	Min       string `xml:"range_min"`
	Max       string `xml:"range_max"`
	Factor    string `xml:"factor"`
}

// maxDefinition bounds the size of a settings file, in bytes.
const maxDefinition = 1 << 20

// ReadDefinition reads a settings file of the clustering suite. Names of parameters are event types, as in Parameter.
func ReadDefinition(in io.Reader, file string) (set Settings, err error) {
	var x xmlDefinition
	if err := xml.NewDecoder(io.LimitReader(in, maxDefinition)).Decode(&x); err != nil {
		return set, fmt.Errorf("%s: %w", file, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}()
	if err := x.Algorithm.read(&set); err != nil {
		return set, err
	}
	if set.Least, err = duration(x.DurationFilter); err != nil {
		return set, err
	}
	if set.Threshold, err = number(x.ThresholdFilter, "threshold_filter"); err != nil {
		return set, err
	}
	if set.Scaling = &Scalings[0]; !yes(x.Normalize) {
		set.Scaling, _ = scalingByName("none")
	}
	if yes(x.UseDuration) {
		set.Parameters = append(set.Parameters, Parameter{Name: "duration", Log: yes(x.ApplyLog)})
	}
	for _, e := range append(x.Parameters.Single, x.Parameters.Mixed...) {
		p, err := e.parameter(yes(x.ApplyLog))
		if err != nil {
			return set, err
		}
		set.Parameters = append(set.Parameters, p)
	}
	for _, e := range append(x.Extra.Single, x.Extra.Mixed...) {
		p, err := e.parameter(false)
		if err != nil {
			return set, err
		}
		set.Extra = append(set.Extra, p.Name)
	}
	if len(set.Parameters) == 0 {
		return set, fmt.Errorf("no clustering_parameters")
	}
	return set, nil
}

func (m *xmlMethod) read(set *Settings) (err error) {
	switch name := strings.TrimSpace(m.Name); strings.ToUpper(name) {
	case "", "DBSCAN":
		set.Method = "dbscan"
		if set.Eps, err = number(m.Epsilon, "epsilon"); err != nil {
			return err
		}
		n, err := number(m.MinPoints, "min_points")
		set.MinPoints = int(min(n, math.MaxInt32))
		return err
	case "K-MEANS", "KMEANS":
		set.Method = "kmeans"
		k, err := number(m.K, "k")
		set.K = int(min(k, 255))
		return err
	default:
		return fmt.Errorf("clustering_algorithm %q is not supported: must be DBSCAN or K-MEANS", name)
	}
}

// parameter returns the parameter of an element; logarithms need both the document's consent and the element's, if that
// has an attribute for it.
func (e *xmlEvent) parameter(logs bool) (p Parameter, err error) {
	p.Name = strings.TrimSpace(e.Type)
	if e.Operation != "" {
		p.Name = strings.TrimSpace(e.TypeA) + strings.TrimSpace(e.Operation) + strings.TrimSpace(e.TypeB)
	}
	if p.Name == "" {
		return p, fmt.Errorf("an element of %q has no event type", e.Name)
	}
	p.Log = logs && (e.Log == "" || yes(e.Log))
	if p.Factor, err = number(e.Factor, "factor"); err != nil {
		return p, err
	}
	if e.Min == "" && e.Max == "" {
		return p, nil
	}
	if p.Min, err = bound(e.Min, math.Inf(-1)); err == nil {
		p.Max, err = bound(e.Max, math.Inf(1))
	}
	return p, err
}

func yes(s string) bool { return strings.EqualFold(strings.TrimSpace(s), "yes") }

func number(text, what string) (float64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s %q: must be a number >= 0", what, text)
	}
	return v, nil
}

// suffixes are the units of durations, in ns; without one a number is microseconds.
var suffixes = map[byte]float64{'n': 1, 'm': 1e6, 's': 1e9, 'M': 60e9, 'H': 3600e9, 'D': 86400e9}

func duration(text string) (float64, error) {
	text = strings.TrimSpace(text)
	factor := 1e3
	if n := len(text); n > 0 && suffixes[text[n-1]] > 0 {
		factor, text = suffixes[text[n-1]], text[:n-1]
	}
	v, err := number(text, "duration_filter")
	return v * factor, err
}

// WriteInfo writes X.clusters_info.csv: a column for noise and each cluster, a row for each property.
func (r *Result) WriteInfo(w io.Writer) error {
	out := bufio.NewWriter(w)
	text := func(name string, of func(class int) string) {
		fmt.Fprint(out, name)
		for c := ClassNoise; c < FirstCluster+len(r.Clusters); c++ {
			fmt.Fprint(out, ",", of(c))
		}
		fmt.Fprintln(out)
	}
	total := 0.0
	for c := ClassNoise; c < len(r.Times); c++ {
		total += r.Times[c]
	}
	text("Cluster Name", func(c int) string {
		if c == ClassNoise {
			return "NOISE"
		}
		return ClassName(int32(c))
	})
	text("Density", func(c int) string { return strconv.Itoa(r.Counts[c]) })
	text("Total Duration", func(c int) string { return exact(r.Times[c]) })
	text("Avg. Duration", func(c int) string { return exact(share(r.Times[c], float64(r.Counts[c]))) })
	text("% Total Duration", func(c int) string { return exact(share(r.Times[c], total)) })
	noise := r.noiseMeans()
	for j, name := range r.ParameterNames() {
		text(name, func(c int) string {
			if c == ClassNoise {
				return exact(noise[j])
			}
			return exact(r.Clusters[c-FirstCluster].Parameters[j].Mean)
		})
	}
	return out.Flush()
}

// noiseMeans returns the means of the parameters of noise.
func (r *Result) noiseMeans() []float64 {
	names := r.ParameterNames()
	means := make([]float64, len(names))
	for j, name := range names {
		n, values := 0, r.Set.Column(name).Values
		for i, c := range r.Class {
			if c == ClassNoise && !math.IsNaN(values[i]) {
				means[j] += values[i]
				n++
			}
		}
		means[j] = share(means[j], float64(n))
	}
	return means
}

func exact(v float64) string {
	if math.IsNaN(v) {
		return "nan"
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// WriteData writes X.DATA.csv: a line for each component. Tasks and threads count from 1; the line of the trace is
// unknown, so 0.
func (r *Result) WriteData(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprint(out, "# Instance,TaskId,ThreadId,Begin_Time,End_Time,Duration,Line")
	names := r.ParameterNames()
	own := len(r.Settings.Parameters)
	for _, n := range names[:own] {
		fmt.Fprint(out, ",", n)
	}
	for _, n := range names[:own] {
		fmt.Fprint(out, ",", n, "_Norm")
	}
	for _, n := range names[own:] {
		fmt.Fprint(out, ",", n)
	}
	fmt.Fprintln(out, ",ClusterID")
	s := r.Set
	if s.Thread == nil {
		return fmt.Errorf("a %s has no place in a trace", s.Kind.Name)
	}
	point, unit := 0, s.Trace.Unit.Nanoseconds()
	var line []byte
	for i := range s.n {
		line = strconv.AppendInt(line[:0], int64(i)+1, 10)
		task, thread := int32(0), int32(0)
		if s.Thread[i] >= 0 {
			_, _, thread = s.Trace.ThreadID(s.Thread[i])
			task = s.Trace.ThreadTask[s.Thread[i]] + 1
		}
		for _, v := range []int64{int64(task), int64(thread), s.Begin[i] * unit, s.End[i] * unit,
			(s.End[i] - s.Begin[i]) * unit, 0} {
			line = strconv.AppendInt(append(line, ','), v, 10)
		}
		isPoint := point < len(r.Rows) && r.Rows[point] == i
		for _, n := range names[:own] {
			line = append(append(line, ','), exact(s.Column(n).Values[i])...)
		}
		for j := range own {
			v := math.NaN()
			if isPoint {
				v = r.Points.At(point)[j]
			}
			line = append(append(line, ','), exact(v)...)
		}
		for _, n := range names[own:] {
			line = append(append(line, ','), exact(s.Column(n).Values[i])...)
		}
		if isPoint {
			point++
		}
		line = strconv.AppendInt(append(line, ','), int64(r.Class[i]), 10)
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}
