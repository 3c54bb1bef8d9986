package account_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pview/insight/account"
	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/prv/prvtest"
	"pview/prv/wide"
	"pview/render/document"
)

// full returns an account of two threads and 1 s with an entry of each kind, in ms. Of the waits for solve
// 0.8 are for one thread, of those for init three quarters.
func full() *account.Account {
	a := &account.Account{To: 1e9, Threads: 2, Title: "Where the time goes", ByThread: make([]account.Sums, 2)}
	for _, e := range []struct {
		kind account.Kind
		of   string
		ms   int64
	}{
		{account.Computing, "region=solve", 800}, {account.Preempted, "thread=1.1.1", 100},
		{account.Wait, "cause=solve_the_system_of_the_grid@1.2.1", 160},
		{account.Wait, "cause=solve_the_system_of_the_grid@1.1.1", 40},
		{account.Wait, "cause=init@1.1.1", 60}, {account.Wait, "cause=init@1.2.1", 20},
		{account.Wait, "state=blocked", 70},
		{account.Transfer, "call=MPI_Recv/region=solve", 60}, {account.Transfer, "call=MPI_Recv/region=init", 50},
		{account.TransferMore, "call=MPI_Recv/region=solve", 100},
		{account.Call, "call=MPI_Send/region=solve", 90}, {account.Runtime, "construct=lock/cause=solve@1.1.1", 85},
		{account.NoWork, "region=init", 65}, {account.IO, "call=read", 55},
		{account.Outside, "reason=buffer flush", 45}, {account.Unknown, "reason=no record", 35},
		{account.Memory, "call=copy", 25}, {account.HostWait, "device=0", 75},
		{account.Launch, "device=1", 48}, {account.Idle, "reason=between two kernels", 17},
	} {
		a.Entries = append(a.Entries, account.Entry{Kind: e.kind, Of: e.of, NS: wide.Of(1e6 * e.ms)})
		a.ByThread[0][e.kind] += 1e6 * e.ms
	}
	return a
}

// Losses from 4.3 % on have lines, as only nine have: 43.9 % are shown of 55.0. Bars begin where the one above ends.
func TestTable(t *testing.T) {
	prvtest.SameText(t, document.TableText(full().Table(), "", nil), `
		Where the time goes                               Share    Time
		2 threads x 1 s                                 100 %      2 s   ██████████
		wait for solve_the_system_of_the_grid on 1.2.1  -10.0 %  200 ms           █
		transfer in MPI_Recv                             -5.5 %  110 ms          █
		slow transfer in MPI_Recv                        -5.0 %  100 ms          ▏
		call MPI_Send                                    -4.5 %   90 ms         █
		runtime: lock                                    -4.3 %   85 ms         ▏
		wait for init on 2 threads                       -4.0 %   80 ms         ▏
		next work not launched by the host               -3.8 %   75 ms        █
		wait: blocked                                    -3.5 %   70 ms        ▏
		no work during init                              -3.3 %   65 ms        ▏
		the rest                                        -11.1 %  225 ms      ██
		                                                 45.0 %  900 ms  █████
		of it without a core                              5.0 %  100 ms  █
	`)
}

// The figure has the rows of the table, and a colour each for the whole and the rest, losses, and what is left.
func TestPlot(t *testing.T) {
	f := full().Plot().Figure
	rows := full().Table().Rows
	if len(f.Y.Names) != len(rows) || f.Title != "Where the time goes" || f.X.Max != 100 {
		t.Errorf("%+v", f)
	}
	for i, want := range []struct {
		ink  figure.Ink
		rows []int
	}{{figure.Grey, []int{0, 10}}, {figure.Vermilion, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}}, {figure.Blue, []int{11}},
		{figure.Sky, []int{12}}} {
		l := &f.Layers[i]
		if l.Ink != want.ink || !slices.Equal(l.Refs, want.rows) {
			t.Errorf("layer %d: %+v", i, l)
		}
		for k, row := range l.Refs {
			if got := fmt.Sprint(rows[row][1], "  ", rows[row][2]); l.Text[k] != got || f.Y.Names[row] != rows[row][0] {
				t.Errorf("row %d: %q of %q, the table has %v", row, l.Text[k], f.Y.Names[row], rows[row])
			}
		}
	}
	if l := f.Layers[1]; l.X[0] != 90 || l.X2[0] != 100 || l.X[1] != 84.5 || l.X2[1] != 90 {
		t.Errorf("bars from %v to %v", l.X, l.X2)
	}
}

// Shares are of the 1100 ms lost. Devices use other words.
func TestLossTable(t *testing.T) {
	a := full()
	var b strings.Builder
	for _, row := range a.LossTable().Rows {
		fmt.Fprintln(&b, row[0], row[1], report.ShowShare(row[2]))
	}
	prvtest.SameText(t, b.String(), `
		wait for 350000000 31.8 %
		transfer 110000000 10.0 %
		slow transfer 100000000 9.1 %
		call 90000000 8.2 %
		runtime 85000000 7.7 %
		no work 65000000 5.9 %
		I/O 55000000 5.0 %
		outside 45000000 4.1 %
		unknown 35000000 3.2 %
		memory 25000000 2.3 %
		not launched 75000000 6.8 %
		launch 48000000 4.4 %
		idle 17000000 1.5 %
	`)
	words := func() (list []string) {
		for _, row := range a.LossTable().Rows[:3] {
			list = append(list, row[3].(string))
		}
		return list
	}
	threads := words()
	a.Devices = true
	if devices := words(); threads[0] == devices[0] || threads[1] == devices[1] || threads[2] != devices[2] ||
		!strings.HasPrefix(devices[0], "communication") || !strings.HasPrefix(threads[0], "in a call") {
		t.Errorf("of threads %q, of devices %q", threads, devices)
	}
	if name := a.Table().Rows[0][0]; name != "2 devices x 1 s" {
		t.Error(name)
	}
}

func TestObjects(t *testing.T) {
	list, err := json.Marshal(full().Objects()[1:3])
	want := `[{"entry":"preempted","of":"thread=1.1.1","ns":100000000,"share":0.05},` +
		`{"entry":"wait","of":"cause=solve_the_system_of_the_grid@1.2.1","ns":160000000,"share":0.08}]`
	if err != nil || string(list) != want {
		t.Errorf("%s, %v", list, err)
	}
}
