package studycmd

// The outputs of a study: figures of every simulation, POP factors, and cells of pview stat on the predicted trace.

import (
	"os"

	"pview/cli/command"
	"pview/insight/efficiency"
	"pview/prv/quantity"
	"pview/semantic/cfg"
	"pview/sim/study"
)

// outputList parses the outputs of a study of a case.
func (s *studyFlags) outputList(base *study.Case, names []string) ([]study.Output, error) {
	var unread error
	list, err := efficiency.ParseOutputs(names, base, func(path string) (f *cfg.File, text []byte, err error) {
		f, text, err = readCfg(s.App, path)
		unread = err
		return f, text, err
	})
	if err != nil && unread == nil {
		err = command.Usagef("--output: %v", err)
	}
	return list, err
}

// readCfg opens a configuration, and returns its text as well.
func readCfg(a *command.App, path string) (*cfg.File, []byte, error) {
	f, err := a.OpenCfg(path)
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, command.OpenError(path, err)
	}
	return f, text, nil
}

// named gives the predicted traces of a case the names of the measured one, so that outputs find what they are defined
// by.
func named(src *command.Source, list []study.Output) []study.Output {
	return efficiency.NameOutputs(src.Trace, list)
}

// parseAmount reads a value of a column with its unit; a plain time is in seconds.
func parseAmount(unit, text string) (float64, error) {
	switch unit {
	case "ns":
		return quantity.ParseTime(text, 1e9)
	case "MB/s":
		return quantity.MachineRate.Parse(text, 1)
	case "B":
		return quantity.Limits.Parse(text, 1)
	}
	return quantity.Number.Parse(text, 1)
}
