package dimemas_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/dimemas"
)

// TestSchedulerFiles: a written scheduler is read back, for every policy and parameter.
func TestSchedulerFiles(t *testing.T) {
	for _, policy := range sim.Policies() {
		for _, changed := range []bool{false, true} {
			s := sim.DefaultScheduler()
			s.Policy = policy.Name
			for i, name := range policy.Params {
				p, ok := sim.SchedulerParamByName(name)
				if !ok {
					t.Fatalf("%s: there is no parameter %q", policy.Name, name)
				}
				switch {
				case !changed:
				case name == "base-priority": // between the bounds
					s.Base = 77.5
				case p.Unit == sim.ParamTime:
					*p.Number(&s) = float64(1+i) * 1e6
				case p.Number != nil:
					*p.Number(&s) += 0.5 + float64(i)
				case p.Switch != nil:
					*p.Switch(&s) = true
				case p.List != nil:
					*p.List(&s) = []float64{3, -1, 2.5}
				case p.Levels != nil:
					*p.Levels(&s) = append(sim.SolarisLevels(),
						sim.Level{Priority: 99, Quantum: 1.5e6, Expired: 3, Slept: 2, MaxWait: math.Inf(1)})
				}
			}
			if policy.Name == "DECAY" {
				s.UseTick, s.LoadInterval, s.Readjust = 1e6, 2e6, 3e6
			}
			var b bytes.Buffer
			if err := dimemas.WriteScheduler(&b, s); err != nil {
				t.Fatal(err)
			}
			back, err := dimemas.ParseScheduler("written", b.Bytes())
			if err != nil {
				t.Errorf("%v\n%s", err, b.String())
			} else if !reflect.DeepEqual(s, back) {
				t.Errorf("%s: %+v, not %+v\n%s", policy.Name, back, s, b.String())
			}
		}
	}
}

// TestDimemasSchedulerFiles: the files of Dimemas 5.5.0 for policies that it has.
func TestDimemasSchedulerFiles(t *testing.T) {
	for text, check := range map[string]func(sim.Scheduler) bool{
		"Policy: UNIX_SVR4\nContext switch cost (seconds): 1e-5\nBusy wait (seconds): 0\nPriority Preemptive " +
			"(YES/NO): YES\nMinimum time preemption (seconds): 0.002\nQuantum factor (%): " +
			"50\n": func(s sim.Scheduler) bool {
			return s.ContextSwitch == 1e4 && s.Preemptive && s.MinRun == 2e6 && s.QuantumFactor == 50 && s.Levels == nil
		},
		"Policy: BOOST\nBest priority: 0\nWorst priority: 100\nBase priority: 50\nBoost if receiver arrives first: " +
			"2\nBoost if receiver arrives last: -3\nBoost if sender arrives last: -1\n": func(s sim.Scheduler) bool {
			return s.Base == 50 && s.RecvFirst == 2 && s.RecvLast == -3 && s.SenderLate == -1 &&
				s.Quantum == sim.DimemasQuantum
		},
		"Policy: FIXED_PRIORITY_FIFO\n": func(s sim.Scheduler) bool { return s.Priorities == nil },
		"Policy: SS_MPI_CP\n":           func(s sim.Scheduler) bool { return s.MinRun == 0 },
	} {
		s, err := dimemas.ParseScheduler("file", []byte(text))
		if err != nil || !check(s) {
			t.Errorf("%q: %+v (%v)", text, s, err)
		}
	}
	for text, why := range map[string]string{
		"Policy: LOTTERY\n": `the policy "LOTTERY" is not simulated`,
		"Policy: RR\nContext switch cost (seconds): 0\nQuantum (seconds): 1\n": `file:3: "Quantum (seconds)" where`,
		"Policy: RR\nContext switch cost (seconds): 0\n":                       `"Busy wait (seconds)" is missing`,
		"Policy: CP_RR\nPriorities: 1\n":                                       "takes no such parameter",
		"Policy: CP_RR\nQuantum (seconds): 1\nQuantum (seconds): 1\n":          "stands twice",
		"Policy: CP_RR\nQuantum (seconds): -1\n":                               "not a number >= 0",
		"Policy: DECAY\nUtilisation interval (seconds): 0\n":                   "a utilisation interval",
		"Policy: BOOST2\nBase priority: 500\n":                                 "not between",
		"Policy: FIXED_PRIORITY_RR\nPriorities: 1,x\n":                         `not a number: "x"`,
		"Policy: FIXED_PRIORITY_RR\nPriority Preemptive (YES/NO): maybe\n":     "neither YES nor NO",
	} {
		if _, err := dimemas.ParseScheduler("file", []byte(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLevels: the two forms of a table of levels.
func TestLevels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "levels")
	for text, want := range map[string][]sim.Level{
		"# thesis\n0 40 0 1\n1 20 0 1 # best\n": {{Priority: 0, Quantum: 40e6, Expired: 0, Slept: 1,
			MaxWait: math.Inf(1)}, {Priority: 1, Quantum: 20e6, Slept: 1, MaxWait: math.Inf(1)}},
		"RES=100\n20 0 1 0 1 # 0\n4 0 1 32000 1 # 1\n": {{Priority: 0, Quantum: 200e6, Slept: 1, Waited: 1},
			{Priority: 1, Quantum: 40e6, Slept: 1, MaxWait: 32000, Waited: 1}},
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := dimemas.OpenLevels(path); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v (%v)", text, got, err)
		}
	}
	for text, why := range map[string]string{"": "no levels", "1 2 3\n": "4 or 6 fields",
		"1 x 0 0\n": `not a number: "x"`, "RES=0\n": "a resolution"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := dimemas.OpenLevels(path); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
