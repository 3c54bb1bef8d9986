package explaincmd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pview/cli/clitest"
	"pview/cli/command"
	"pview/insight/waits"
	"pview/prv/prvtest"
)

// TestDiagnoseWaits: the classes of waiting and the causes sum to the same time, in the formats for programs.
func TestDiagnoseWaits(t *testing.T) {
	out, problems, status := clitest.Run(t, "diagnose", clitest.Heat, "--waits", "--format", "tsv")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	sums := map[string]int64{}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		f := strings.Split(line, "\t")
		if f[0] == "class" && f[5] == "" {
			continue // no waiting
		}
		ns, err := strconv.ParseInt(f[4], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sums[f[0]] += ns
	}
	if sums["class"] == 0 || sums["class"] != sums["delay"] {
		t.Errorf("classes sum to %d, causes to %d", sums["class"], sums["delay"])
	}
	out, _, _ = clitest.Run(t, "diagnose", clitest.Heat, "--waits", "--format", "json")
	var answer struct {
		Waiting int64 `json:"waiting_ns"`
		Length  int64 `json:"length_ns"`
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Waiting != sums["class"] ||
		answer.Length != 157_717_028 {
		t.Errorf("%v: %+v", err, answer)
	}
	// With all sends eager no sender waits for its receiver.
	out, _, _ = clitest.Run(t, "diagnose", clitest.Heat, "--waits", "--eager", "1G")
	if strings.Contains(out, "Late Receiver") {
		t.Error("senders wait for receivers")
	}
}

// TestDiagnoseMessage: the messages between the nodes of heat2d all have 3072 bytes; those of callmix have three sizes,
// which separate latency from time per byte.
func TestDiagnoseMessage(t *testing.T) {
	const callmix = "../../testdata/traces/callmix_4_skew/callmix_4_skew.prv"
	for trace, want := range map[string]string{
		clitest.Heat: "message: 33.86 us for 3.072 kB [measured], latency and bytes together\n",
		callmix:      "message: latency 10.16 us [measured], 8.78 ns per byte [measured]",
	} {
		if out, _, _ := clitest.Run(t, "diagnose", "--no-index", trace); !strings.Contains(out, want) {
			t.Errorf("%s: %s is missing in\n%s", trace, want, out)
		}
	}
}

// TestDiagnoseShares: --gate and --cut-off are percentages; both ends are allowed.
func TestDiagnoseShares(t *testing.T) {
	for _, flag := range []string{"--gate", "--cut-off"} {
		for value, want := range map[string]int{"-0.1": command.StatusUsage, "100.1": command.StatusUsage} {
			_, problems, status := clitest.Run(t, "diagnose", clitest.Heat, flag+"="+value)
			if status != want || !strings.Contains(problems, "must be between 0 and 100") {
				t.Errorf("%s=%s: status %d: %s", flag, value, status, problems)
			}
		}
		for _, value := range []string{"0", "100"} {
			_, problems, status := clitest.Run(t, "diagnose", clitest.Heat, flag+"="+value)
			if status == command.StatusUsage {
				t.Errorf("%s=%s: %s", flag, value, problems)
			}
		}
	}
}

func TestDiagnoseNothing(t *testing.T) {
	alone := prvtest.Stairs(t, t.TempDir(), 1) // one process that always computes
	if out, problems, status := clitest.Run(t, "diagnose", alone, "--waits",
		"--no-index"); status != command.StatusNothing ||
		out == "" {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	if _, _, status := clitest.Run(t, "diagnose", clitest.Heat, "--eager", "much"); status != command.StatusUsage {
		t.Errorf("status %d", status)
	}
}

// TestDiagnose: the keys that programs rely on, and the same findings in all formats.
func TestDiagnose(t *testing.T) {
	out, problems, status := clitest.Run(t, "diagnose", clitest.Heat, "--format", "json")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	var answer struct {
		Length      int64   `json:"length_ns"`
		Utilisation float64 `json:"utilisation"`
		Recoverable float64 `json:"recoverable_ns"`
		Findings    []struct {
			Rule, Confidence, Title, Advice string
			Severity                        *float64 `json:"severity_ns"`
			Percent                         *float64 `json:"severity_percent"`
			Verified                        *float64 `json:"verified_ns"`
			Threads                         []string
			Evidence                        []struct {
				From     int64 `json:"from_ns"`
				To       int64 `json:"to_ns"`
				Threads  []string
				Messages []int
			}
		}
		NotApplicable []struct{ Rule, Needs string } `json:"not_applicable"`
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Length != 157_717_028 || len(answer.Findings) == 0 || len(answer.NotApplicable) == 0 ||
		answer.Recoverable <= 0 {
		t.Fatalf("%+v", answer)
	}
	for _, f := range answer.Findings {
		if f.Title == "" || f.Advice == "" || f.Severity != nil && *f.Severity > answer.Recoverable+1 {
			t.Errorf("%+v", f)
		}
	}
	again, _, _ := clitest.Run(t, "diagnose", clitest.Heat, "--format", "json")
	if again != out {
		t.Error("a second run says something else")
	}
	text, _, _ := clitest.Run(t, "diagnose", clitest.Heat)
	tsv, _, _ := clitest.Run(t, "diagnose", clitest.Heat, "--format", "tsv")
	if first := answer.Findings[0].Title; !strings.Contains(text, first) || !strings.Contains(tsv, first) {
		t.Errorf("%q is not in\n%s\n%s", first, text, tsv)
	}
}

// TestDiagnoseClasses: the shares of all classes sum to 1; the table for people has the first ones.
func TestDiagnoseClasses(t *testing.T) {
	out, problems, status := clitest.Run(t, "diagnose", clitest.Heat, "--classes", "--format", "json")
	if status != command.StatusDone {
		t.Fatalf("status %d: %s", status, problems)
	}
	var list []struct {
		Class   string
		Runs    int64
		Time    float64 `json:"time_ns"`
		Share   float64
		Zeroing *float64 `json:"zeroing_ns"`
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range list {
		if sum += c.Share; c.Runs == 0 || c.Zeroing == nil {
			t.Errorf("%+v", c)
		}
	}
	if math.Abs(sum-1) > 1e-9 || list[1].Class != "stencil_sweep" || list[1].Runs != 480 {
		t.Errorf("shares sum to %f: %+v", sum, list)
	}
	text, _, _ := clitest.Run(t, "diagnose", clitest.Heat, "--classes", "--top", "2")
	if !strings.Contains(text, "code regions: functions") || !strings.Contains(text, "and 6 more") ||
		strings.Contains(text, "init_domain") {
		t.Error(text)
	}
	if _, problems, status := clitest.Run(t, "diagnose", clitest.Heat, "--classes",
		"--waits"); status != command.StatusUsage ||
		!strings.Contains(problems, "only one of") {
		t.Errorf("status %d: %s", status, problems)
	}
}

// TestStatWaits: waits are timelines, which pview stat counts like any other: the time of each class equals the
// diagnosis's.
func TestStatWaits(t *testing.T) {
	out, problems, status := clitest.Run(t, "stat", clitest.Heat, "--view", "wait state", "--stat", "Time", "--format",
		"tsv")
	if status != command.StatusDone || problems != "" {
		t.Fatalf("status %d: %s", status, problems)
	}
	counted := map[string]float64{} // us, by the name of the class
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		if f := strings.Split(line, "\t"); strings.HasPrefix(f[1], "THREAD") {
			v, err := strconv.ParseFloat(f[3], 64)
			if err != nil {
				t.Fatal(err)
			}
			counted[f[2]] += v
		}
	}
	out, _, _ = clitest.Run(t, "diagnose", clitest.Heat, "--waits", "--format", "tsv")
	found := map[string]string{} // ns, by the key of the class
	for _, line := range strings.Split(out, "\n") {
		if f := strings.Split(line, "\t"); f[0] == "class" {
			found[f[1]] = f[4]
		}
	}
	for _, c := range waits.Classes {
		if want := found[c.Key]; want != "" && fmt.Sprintf("%.0f", 1000*counted[c.Name]) != want {
			t.Errorf("%s: %f us, want %s ns", c.Name, counted[c.Name], want)
		}
	}
	if found["late_sender"] != "215927645" {
		t.Errorf("late senders: %s ns", found["late_sender"])
	}
}

// Without its .pcf a trace has the same names of calls: Extrae's; a line says so once.
func TestDiagnoseWithoutLabels(t *testing.T) {
	records, err := os.ReadFile(clitest.Heat)
	if err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.prv.gz")
	if err := os.WriteFile(bare, records, 0o666); err != nil {
		t.Fatal(err)
	}
	calls := func(path string) (names []string, problems string) {
		out, problems, status := clitest.Run(t, "diagnose", path, "--no-index", "--format", "json")
		var answer struct {
			Account []struct{ Of string }
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil || status != command.StatusDone {
			t.Fatalf("status %d, %v", status, err)
		}
		for _, a := range answer.Account {
			if i := strings.Index(a.Of, "MPI_"); i >= 0 {
				name := strings.FieldsFunc(a.Of[i:], func(r rune) bool { return r == '@' || r == '/' })[0]
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return slices.Compact(names), problems
	}
	want, _ := calls(clitest.Heat)
	got, problems := calls(bare)
	if len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("calls %q, with the .pcf %q", got, want)
	}
	if n := strings.Count(problems, "Extrae's names"); n != 1 {
		t.Errorf("that the names are Extrae's is said %d times: %s", n, problems)
	}
}
