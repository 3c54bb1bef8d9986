package dimemas

// Communications files.

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/sim"
)

// OpenCommunications reads a communications file into a machine.
func OpenCommunications(m *sim.Machine, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return openError(path, err)
	}
	return parseCommunications(m, path, text)
}

// parseCommunications reads a communications file: cost models of collective operations,
// and flight times. Unknown lines are ignored.
func parseCommunications(m *sim.Machine, name string, text []byte) error {
	line := int64(0)
	for raw := range bytes.Lines(text) {
		line++
		t := strings.TrimSpace(string(raw))
		key, rest, ok := strings.Cut(t, ":")
		if !ok {
			rest = ""
		}
		words := strings.Fields(rest)
		var err error
		switch {
		case ok && key == "Machine globalop" && len(words) > 0:
			var c int
			if c, err = clusterNumber(m, words[0]); err == nil {
				err = setCost(&m.Clusters[c].Collectives, words[1:])
			}
		case ok && key == "External globalop":
			err = setCost(&m.WAN.Collectives, words)
		case ok && key == "Flight time" && len(words) > 0:
			err = setFlight(m, words)
		case ok && key == "Machine policy":
			if len(words) != 2 || words[1] != "FIFO" {
				err = fmt.Errorf("only the policy FIFO is simulated for messages yet")
			}
		case !ok && len(strings.Fields(t)) >= 5:
			err = setAllCosts(m, strings.Fields(t)[:5])
		}
		if err != nil {
			return &prv.FileError{File: name, Line: line, Why: err.Error(), Err: err}
		}
	}
	return nil
}

func clusterNumber(m *sim.Machine, s string) (int, error) {
	c, err := strconv.Atoi(s)
	if err != nil || c < 0 || c >= len(m.Clusters) {
		return 0, fmt.Errorf("there is no machine %q", s)
	}
	return c, nil
}

// setAllCosts takes the old form, which applies to all machines and the WAN; a line that does not begin with the number
// of an operation is something else.
func setAllCosts(m *sim.Machine, words []string) error {
	if _, err := strconv.Atoi(words[0]); err != nil {
		return nil
	}
	for i := range m.Clusters {
		if err := setCost(&m.Clusters[i].Collectives, words); err != nil {
			return err
		}
	}
	return setCost(&m.WAN.Collectives, words)
}

// setCost takes OP FINMODEL FINSIZE FOUTMODEL FOUTSIZE.
func setCost(costs *sim.CollectiveCosts, words []string) error {
	if len(words) != 5 {
		return fmt.Errorf(
			"a collective operation has 5 fields (operation, model and size of fan-in and of fan-out), not %d",
			len(words))
	}
	op, err := strconv.Atoi(words[0])
	if err != nil || op < 0 || op >= len(costs) {
		return fmt.Errorf("there is no collective operation %q", words[0])
	}
	var c sim.CollectiveCost
	for i, s := range []*sim.Stage{&c.FanIn, &c.FanOut} {
		model := slices.Index(modelNames(), words[1+2*i])
		if model < 0 {
			return fmt.Errorf("the model %q is not 0, CTE, LIN or LOG", words[1+2*i])
		}
		size := slices.Index(sizeNames(), words[2+2*i])
		if size < 1 {
			return fmt.Errorf("the size %q is not MIN, MAX, MEAN, 2MAX or S+R", words[2+2*i])
		}
		s.Model, s.Size = sim.CollectiveModel(model), sim.CollectiveSize(size)
	}
	costs[op] = c
	return nil
}

func modelNames() (names []string) {
	for _, m := range sim.CollectiveModels {
		names = append(names, m.Name)
	}
	return names
}

func sizeNames() (names []string) {
	for _, s := range sim.CollectiveSizes {
		names = append(names, s.Name)
	}
	return names
}

// setFlight takes MACHINE f0 f1 ..., seconds to each machine.
func setFlight(m *sim.Machine, words []string) error {
	c, err := clusterNumber(m, words[0])
	if err != nil {
		return err
	}
	if len(words)-1 != len(m.Clusters) {
		return fmt.Errorf("%d flight times for %d machines", len(words)-1, len(m.Clusters))
	}
	flight := make([]float64, len(m.Clusters))
	for i, w := range words[1:] {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil || !(v >= 0) || v > 1e9 {
			return fmt.Errorf("flight time %q is not a number of seconds", w)
		}
		flight[i] = v * 1e9
	}
	m.Clusters[c].Flight = flight
	return nil
}
