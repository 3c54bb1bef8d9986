package puppet_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pview/sim"
	"pview/sim/engine"
	"pview/sim/puppet"
)

// seeds adds the cases of testdata with an extension.
func seeds(f *testing.F, ext string) {
	f.Helper()
	files, _ := filepath.Glob(filepath.Join(cases, "*"+ext))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
}

// FuzzLog: any text is an error or a program; what is written of the program is read back with the same prediction.
func FuzzLog(f *testing.F) {
	seeds(f, ".log")
	f.Add(
		"0 1e-6 MPI_Ibcast 0 5 q\n0 0 MPI_Wait q\n1 0 MPI_Ibcast 0 5 q\n1 2e-6 MPI_Wait q\ncommunicator c 0\n0 0 " +
			"MPI_Barrier comm=c\n")
	f.Add("0 0 MPI_Sendrecv 1 5 0 1 0\n1 0 MPI_Sendrecv 0 5 0 ANY ANY from=0 tag=0\n1 0 MPI_Pcontrol 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "\n") > 200 {
			return
		}
		l, err := puppet.ReadLog("a.log", strings.NewReader(text))
		if err != nil || len(l.Program.Tasks) > 64 {
			return
		}
		var out bytes.Buffer
		if err := puppet.WriteLog(&out, l.Program); err != nil {
			t.Fatal(err)
		}
		again, err := puppet.ReadLog("b.log", bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		m := sim.Ideal(len(l.Program.Tasks))
		m.Network = "direct"
		m.Direct = sim.Interconnect{Topology: "ring", Startup: 10, PerByte: 1}
		a, err1 := engine.Run(context.Background(), l.Program, m, sim.Options{})
		b, err2 := engine.Run(context.Background(), again.Program, m, sim.Options{})
		if (err1 == nil) != (err2 == nil) || err1 == nil && a.Total != b.Total {
			t.Fatalf("%v %v, %v %v\n%s", a, err1, b, err2, out.String())
		}
	})
}

// FuzzModel: any text is an error or a model; what is written of it is the same model.
func FuzzModel(f *testing.F) {
	seeds(f, ".model")
	f.Add(
		"network fat-tree 2 3\nmap 0\nswitching wormhole\nlink-speed 1 1\npacket-size 0\nflit-speed 0 " +
			"0\nlocal-speed 1e-9 0\nstandard-send nospace\ncpu-speed 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "custom") { // it would open files
			return
		}
		m, err := puppet.ReadModel("a.model", strings.NewReader(text))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := m.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := puppet.ReadModel("a.model", bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		x, err1 := m.Machine(3)
		y, err2 := again.Machine(3)
		if (err1 == nil) != (err2 == nil) || err1 == nil && !x.Equal(y) {
			t.Fatalf("%+v %v, %+v %v\n%s", x, err1, y, err2, out.String())
		}
	})
}
