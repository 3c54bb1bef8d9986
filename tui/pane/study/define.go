package study

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/insight/efficiency"
	"pview/prv/quantity"
	"pview/semantic/cfg"
	"pview/sim/parameter"
	"pview/sim/study"
	"pview/tui/paths"
)

// definition defines a study, as entered by the user.
type definition struct {
	Variables    []string `json:"variables,omitempty"` // NAME=DENSITY
	Correlations []string `json:"correlations,omitempty"`
	Outputs      []string `json:"outputs,omitempty"`
	Runs         int      `json:"runs"`
	Seed         uint64   `json:"seed"`
	Sampling     string   `json:"sampling"`
	Tolerance    float64  `json:"tolerance,omitempty"` // of the stop rule; 0: make all runs
	Workers      int      `json:"workers,omitempty"`   // concurrent runs; 0: one per core
	Store        string   `json:"store,omitempty"`     // folder
}

func newDefinition() definition {
	return definition{Runs: 500, Seed: 1, Sampling: study.Samplings[study.RandomSampling].Name,
		Outputs: []string{"total", "utilisation", "blocked"}}
}

// setting is a line of the definition other than the variables.
type setting struct {
	name, hint string
	get        func(d *definition) string
	set        func(d *definition, text string) error
	values     func() []string // completion
}

// workersSetting is the only setting that changes a running study.
const workersSetting = "workers"

// settings are the lines of the definition below the variables.
var settings = []setting{
	{"runs", "number of runs", func(d *definition) string {
		return strconv.Itoa(d.Runs)
	}, func(d *definition, text string) error {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("must be a whole number, not %q", text)
		}
		if err := study.CheckRuns(n); err != nil {
			return err
		}
		d.Runs = n
		return nil
	}, nil},
	{"stop",
		"stop earlier, when the 95 % confidence interval of every mean is within this share of it, such as 1%; no: " +
			"all runs are made", stopText, setStop, nil},
	{"sampling", "how values are drawn: random, latin, sobol", func(d *definition) string {
		return d.Sampling
	}, func(d *definition, text string) error {
		if _, err := study.SamplingByName(text); err != nil {
			return err
		}
		d.Sampling = text
		return nil
	}, samplingNames},
	{"seed", "the same seed draws the same values", func(d *definition) string {
		return strconv.FormatUint(d.Seed, 10)
	}, func(d *definition, text string) error {
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 53)
		if err != nil {
			return fmt.Errorf("must be a whole number >= 0, not %q", text)
		}
		d.Seed = n
		return nil
	}, nil},
	{"outputs", "figures of each run, separated by commas; also NAME=CFG;ROW;COLUMN, a cell of pview stat",
		func(d *definition) string { return strings.Join(d.Outputs, ", ") }, func(d *definition, text string) error {
			list := fields(text)
			if len(list) == 0 {
				return errors.New("a study needs an output")
			}
			if _, err := efficiency.ParseOutputs(list, nil, openCfg); err != nil {
				return err
			}
			d.Outputs = list
			return nil
		}, efficiency.StudyOutputNames},
	{"correlations", "of ranks, such as latency:bandwidth=-0.8, separated by commas", func(d *definition) string {
		return strings.Join(d.Correlations, ", ")
	}, func(d *definition, text string) error {
		d.Correlations = fields(strings.ReplaceAll(text, " ", ""))
		return nil
	}, nil},
	{workersSetting, "concurrent runs, also of a study that is running; empty: one per core",
		func(d *definition) string {
			if d.Workers == 0 {
				return "one per core"
			}
			return strconv.Itoa(d.Workers)
		}, func(d *definition, text string) error {
			n := 0
			if text != "" && text != "one per core" {
				var err error
				if n, err = strconv.Atoi(text); err != nil || n < 1 || n > study.MaxWorkers {
					return fmt.Errorf("must be a number from 1 to %d, not %q", study.MaxWorkers, text)
				}
			}
			d.Workers = n
			return nil
		}, nil},
	{"store", "folder that keeps the runs, for pview study and for later; empty: none", func(d *definition) string {
		return d.Store
	}, func(d *definition, text string) error {
		d.Store = paths.Typed(text)
		return nil
	}, nil},
}

// fields splits a list at commas.
func fields(text string) (list []string) {
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// openCfg reads a configuration that an output names.
func openCfg(path string) (*cfg.File, []byte, error) {
	text, err := os.ReadFile(paths.Typed(path))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, paths.Cause(err))
	}
	f, _, err := cfg.Read(path, bytes.NewReader(text))
	return f, text, err
}

func stopText(d *definition) string {
	if d.Tolerance == 0 {
		return "no"
	}
	return quantity.FormatValue(100*d.Tolerance, "%")
}

func setStop(d *definition, text string) error {
	text = strings.TrimSpace(text)
	if text == "no" || text == "" {
		d.Tolerance = 0
		return nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return fmt.Errorf("must be a share such as 1%%, or no; not %q", text)
	}
	if percent {
		v /= 100
	}
	if err := study.DefaultStop(v).Check(); err != nil {
		return err
	}
	d.Tolerance = v
	return nil
}

func samplingNames() (list []string) {
	for _, s := range study.Samplings {
		list = append(list, s.Name)
	}
	return list
}

// nominal returns the simulation that the study varies.
func (s *session) nominal() study.Case {
	measured := &study.Measured{Total: s.measured.ToNS(s.measured.Data.Duration)}
	if parameter.PresetByName(s.base.BaseName) == nil { // fitted to the trace, or a configuration for its machine
		measured.Machine = s.base.Base.Machine
	}
	return study.Case{Name: s.measured.Name, Program: s.program.Program, Machine: s.base.Machine, Rules: s.base.Rules,
		NoOpenMP: s.base.NoOpenMP, Measured: measured}
}

// setVariable adds a variable, or replaces that of the same name.
func (s *session) setVariable(text string) error {
	base := s.nominal()
	v, err := study.ParseVariable(text, &base)
	if err != nil {
		return err
	}
	_, density, _ := strings.Cut(text, "=")
	text = v.Name + "=" + strings.TrimSpace(density)
	i := slices.IndexFunc(s.def.Variables, func(have string) bool { return nameOf(have) == v.Name })
	if i < 0 {
		s.def.Variables = append(s.def.Variables, text)
	} else {
		s.def.Variables[i] = text
	}
	return nil
}

func nameOf(variable string) string {
	name, _, _ := strings.Cut(variable, "=")
	return name
}

// study makes the definition of package study.
func (s *session) study() (*study.MonteCarlo, error) {
	d := &s.def
	m := &study.MonteCarlo{Base: s.nominal(), Runs: d.Runs, Seed: d.Seed, Correlations: d.Correlations}
	if len(d.Variables) == 0 {
		return nil, errors.New("a study needs a random variable")
	}
	var err error
	if m.Sampling, err = study.SamplingByName(d.Sampling); err != nil {
		return nil, err
	}
	for _, text := range d.Variables {
		v, err := study.ParseVariable(text, &m.Base)
		if err != nil {
			return nil, err
		}
		m.Variables = append(m.Variables, v)
	}
	list, err := efficiency.ParseOutputs(d.Outputs, &m.Base, openCfg)
	if err != nil {
		return nil, err
	}
	m.Outputs = efficiency.NameOutputs(s.measured.Data, list)
	if d.Tolerance > 0 {
		m.Stop = study.DefaultStop(d.Tolerance)
	}
	return m, nil
}

// lines returns the lines of the definition: the variables, one to add another, the settings.
func (d *definition) lines() int { return len(d.Variables) + 1 + len(settings) }

// completeVariables completes NAME=DENSITY.
func completeVariables(args string) (list []string) {
	name, density, more := strings.Cut(args, "=")
	if more {
		for _, u := range study.DensityUsages() {
			if strings.HasPrefix(u[0], density) {
				list = append(list, name+"="+u[0])
			}
		}
		return list
	}
	for i := range parameter.All {
		list = append(list, parameter.All[i].Name+"=")
	}
	return list
}
