package gpu

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/prv"
	"pview/prv/kineto"
	"pview/prv/prvtest"
	"pview/render/document"
)

// answerTo asks a run of devices.
func answerTo(t *testing.T, trace *prv.Trace, a *Analysis, questions ...string) *Answer {
	t.Helper()
	if err := a.Ask(trace, questions); err != nil {
		t.Fatal(err)
	}
	return a.Answer
}

// replayed asks the run of a kit's case and compares its end and the time of its devices, in us.
func replayed(t *testing.T, run, question string, end, elapsed, wait int64) {
	t.Helper()
	trace, a := ranksOf(t, run)
	w := answerTo(t, trace, a, question)
	w.Is.Guessed = 0
	if want := (Outcome{End: end * 1000, Elapsed: elapsed * 1000, Wait: wait * 1000}); w.Is != want {
		t.Errorf("%s %s: %+v, want %+v", run, question, w.Is, want)
	}
}

// Check 34 of Kineto: C waits for A on another stream, the host for both. A twice as fast: 300. D twice as slow: 400.
// B, before C on its stream, 10 times as slow: it ends at 330, C follows at 332..432, and `post` ends at 510.
func TestReplayOfStreams(t *testing.T) {
	const run = "cases/c16-path/*"
	replayed(t, run, "kernel=A:1", 400, 302, 0)
	replayed(t, run, "kernel=A:0.5", 300, 202, 0)
	replayed(t, run, "kernel=D:2", 400, 302, 0)
	replayed(t, run, "kernel=B:10", 510, 412, 0)
}

// Check 35 of Kineto: three steps of four ranks. A network twice as fast ends only the last step earlier, since the
// host launches each at its time; if rank 2 is as fast as the others, nobody waits.
func TestReplayOfStraggler(t *testing.T) {
	const run = "cases/c02-straggler/*"
	replayed(t, run, "collectives:1", 4920, 4900, 2700)
	replayed(t, run, "collectives:0.5", 4870, 4850, 2700)
	replayed(t, run, "as-others=rank 2", 4620, 4600, 0)
}

// Check 36 of Kineto: messages that take three times their 41 us move the kernels of the receiver by 82.
func TestReplayOfMessages(t *testing.T) {
	const run = "cases/c12-pipeline/*"
	replayed(t, run, "messages:1", 1165, 1150, 240)
	replayed(t, run, "messages:3", 1165+82, 1150+82, 240)
	trace, a := ranksOf(t, run)
	if err := a.Ask(trace, []string{"collectives:3"}); err == nil {
		t.Error("messages are collectives")
	}
}

// Without a change nothing moves, in no run of the kits.
func TestReplayUnchanged(t *testing.T) {
	kit := prvtest.Shared(t, "oracle", "kineto")
	runs, _ := filepath.Glob(filepath.Join(kit, "*", "*"))
	n := 0
	for _, run := range runs {
		files := []string{run}
		if info, err := os.Stat(run); err == nil && info.IsDir() {
			files, _ = filepath.Glob(filepath.Join(run, "*.json*"))
		}
		trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
		if err != nil {
			continue // some are none
		}
		a, err := Analyze(context.Background(), trace)
		if err != nil || a.canReplay(trace) != nil {
			continue
		}
		n++
		wait := int64(0)
		for i := range a.Collectives {
			wait += a.Collectives[i].Wait
		}
		w := answerTo(t, trace, a).Is
		if w.Elapsed != a.Elapsed || w.Wait != wait {
			t.Errorf("%s: %+v, want %d and waits of %d", run, w, a.Elapsed, wait)
		}
	}
	if n < 15 {
		t.Errorf("%d runs", n)
	}
}

// A launches at 10 and runs at 20..120, B of another stream launches at 30 and begins when A ends; no waits for events
// are recorded. The host waits from 50 to 205 for B, which ends at 200, and ends at 230.
const ownRun = `{"schemaVersion": 1, "traceEvents": [
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":10,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"A","pid":0,"tid":7,"ts":20,"dur":100,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":30,"dur":10,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"B","pid":0,"tid":8,"ts":120,"dur":80,"args":{"device":0,"stream":8,"correlation":2}},
{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":1,"tid":1,"ts":50,"dur":155,"args":{}},
{"ph":"X","cat":"cpu_op","name":"post","pid":1,"tid":1,"ts":205,"dur":25,"args":{}}]}`

// own opens a run of one rank.
func own(t *testing.T, text string) (*prv.Trace, *Analysis) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	trace, err := kineto.Open(context.Background(), path, false, prv.Watcher{})
	return analysed(t, trace, err)
}

// A takes half its time: B is taken to have waited for it, and all ends 50 us earlier. Both changes at once: A ends at
// 70, B takes 40 to 110, the host returns at 115 and ends at 140.
func TestWhatIf(t *testing.T) {
	trace, a := own(t, ownRun)
	for _, c := range []struct {
		questions []string
		want      Outcome
	}{
		{[]string{"kernel=A:0.5"}, Outcome{End: 180_000, Elapsed: 130_000, Guessed: 1}},
		{[]string{"kernel=A:0.5", "kernel=B:0.5"}, Outcome{End: 140_000, Elapsed: 90_000, Guessed: 1}},
		{[]string{"kernel=B:2"}, Outcome{End: 310_000, Elapsed: 260_000, Guessed: 1}},
	} {
		if got := answerTo(t, trace, a, c.questions...).Is; got != c.want {
			t.Errorf("%q: %+v, want %+v", c.questions, got, c.want)
		}
	}
	said := document.Text(a.Document(trace), strings.Clone)
	for _, want := range []string{"What if kernel=B:2", "the whole run", "230 us", "310 us", "-80 us",
		"as no waits for events are recorded: 1"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	text, err := json.Marshal(a.object(trace))
	if err != nil || !strings.Contains(string(text), `"replayed":{"end_ns":310000,"elapsed_ns":260000,"wait_ns":0}`) {
		t.Errorf("%v: %s", err, text)
	}
}

// The collective of rank 0 runs at 20..100, and that of rank 1 begins when it ends: all of it is waiting. C follows at
// 110..200. Without a change nothing moves.
func TestReplayOfCollectiveWithoutTransfer(t *testing.T) {
	const rank = `{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":%d,"world_size":2},"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL()","pid":0,"tid":7,"ts":%d,"dur":80,"args":{
"device":0,"stream":7,"correlation":1,"Collective name":"allreduce","In msg nelems":8,"Out msg nelems":8,"Group size":2,
"dtype":"Float","Process Group Name":"0","Process Group Ranks":"[0, 1]"}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":2}},
{"ph":"X","cat":"kernel","name":"C","pid":0,"tid":7,"ts":%d,"dur":90,"args":{"device":0,"stream":7,"correlation":2}}]}`
	var files []string
	for i, text := range []string{fmt.Sprintf(rank, 0, 20, 110), fmt.Sprintf(rank, 1, 100, 181)} {
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprintf("%d.json", i)))
		if err := os.WriteFile(files[i], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	trace, err := kineto.OpenRun(context.Background(), files, false, prv.Watcher{})
	trace, a := analysed(t, trace, err)
	want := Outcome{End: 271_000, Elapsed: 251_000, Wait: 80_000}
	if got := answerTo(t, trace, a, "kernel=C:1").Is; got != want || a.Collectives[0].Wait != 80_000 {
		t.Errorf("%+v, want %+v; the collective waits %d", got, want, a.Collectives[0].Wait)
	}
	want.End, want.Elapsed = 361_000, 341_000
	if got := answerTo(t, trace, a, "kernel=C:2").Is; got != want {
		t.Errorf("twice as long: %+v, want %+v", got, want)
	}
}

// Questions that cannot be answered are refused with the reason, and so are runs that cannot be replayed.
func TestWhatIfErrors(t *testing.T) {
	trace, a := own(t, ownRun)
	for question, want := range map[string]string{
		"kernel=A":         "must end with a factor",
		"kernel=A:-1":      "must end with a factor",
		"kernel=A:NaN":     "must end with a factor",
		"kernel=C:2":       "no operation of a device is that",
		"messages:2":       "no operation of a device is that",
		"speed:2":          "there are kernel=NAME:FACTOR, collectives:FACTOR",
		"as-others=rank 7": "there is no task of this name",
		"as-others=" + trace.Name(prv.LevelTask, 0): "no other task has kernels",
	} {
		if err := a.Ask(trace, []string{question}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", question, err)
		}
	}
	for text, want := range map[string]string{
		strings.ReplaceAll(ownRun, `,"correlation"`, `,"other"`):     "no operation of a device has a launch call",
		strings.Replace(ownRun, `"name":"A"`, `"name":"graph 1"`, 1): "graph 1 is recorded as a whole",
	} {
		trace, a := own(t, text)
		if err := a.Ask(trace, []string{"kernel=B:2"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
