package efficiency

import (
	"errors"
	"strings"
	"testing"

	"pview/semantic/cfg"
)

// Every name is an output of that name, once.
func TestOutputNames(t *testing.T) {
	list, err := ParseOutputs(StudyOutputNames(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range StudyOutputNames() {
		if list[i].Name != name || list[i].Of == nil {
			t.Errorf("%s: %+v", name, list[i])
		}
	}
	if len(list) != len(StudyOutputs())-1 ||
		!strings.Contains(strings.Join(StudyOutputNames(), " "), "pop:load-balance") {
		t.Error(StudyOutputNames())
	}
}

// A cell is of a configuration that has a histogram, and it is another output when the configuration has changed.
func TestOutputCell(t *testing.T) {
	missing := errors.New("no such file")
	open := func(path string) (*cfg.File, []byte, error) {
		switch path {
		case "histogram.cfg":
			return &cfg.File{Name: path, Histograms: make([]*cfg.Histogram, 1)}, []byte("its text"), nil
		case "window.cfg":
			return &cfg.File{Name: path}, nil, nil
		}
		return nil, nil, missing
	}
	o, err := parseOutput("mpi = histogram.cfg; THREAD 1.1.1; MPI_Send; Time", nil, open)
	if err != nil || o.Name != "mpi" || !o.Trace || !strings.Contains(o.Definition, "MPI_Send") ||
		!strings.Contains(o.Definition, "its text") {
		t.Errorf("%+v %v", o, err)
	}
	for text, why := range map[string]string{
		"mpi=histogram.cfg;THREAD 1.1.1":               "must be NAME=CFG;ROW;COLUMN or NAME=CFG;ROW;COLUMN;STATISTIC",
		"=histogram.cfg;THREAD 1.1.1;MPI_Send":         "must be NAME=CFG;ROW;COLUMN",
		"mpi=histogram.cfg;THREAD 1.1.1;MPI_Send;Luck": `no statistic "Luck"`,
		"mpi=window.cfg;THREAD 1.1.1;MPI_Send":         "window.cfg has no histogram",
		"mpi=none.cfg;THREAD 1.1.1;MPI_Send":           "no such file",
	} {
		if _, err := parseOutput(text, nil, open); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
