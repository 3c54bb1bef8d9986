package clitest

// MPI programs of testdata/record, with the MPI libraries of the machine.

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pview/prv/record"
)

// Programs is the folder of MPI programs, from the directory of a package of commands.
const Programs = "../../testdata/record"

// MPILibraries are the MPI libraries of the tests, as Debian installs them side by side.
var MPILibraries = []string{"openmpi", "mpich"}

// WithMPI runs a test with each MPI library of the machine.
func WithMPI(t *testing.T, test func(t *testing.T, library string)) { withMPI(t, MPILibraries, test) }

// WithOneMPI runs a test, which must not depend on the MPI library, with one that the machine has.
func WithOneMPI(t *testing.T, test func(t *testing.T, library string)) {
	list := slices.DeleteFunc(slices.Clone(MPILibraries), func(library string) bool { return !installed(library) })
	if len(list) == 0 {
		list = MPILibraries // the test says why it is skipped
	}
	withMPI(t, list[:1], test)
}

func installed(library string) bool {
	_, err := exec.LookPath("mpicc." + library)
	return err == nil
}

func withMPI(t *testing.T, libraries []string, test func(t *testing.T, library string)) {
	t.Helper()
	if why := record.Supported(); why != "" {
		t.Skip(why)
	}
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
	t.Setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
	for _, library := range libraries {
		t.Run(library, func(t *testing.T) {
			if !installed(library) {
				t.Skipf("no mpicc.%s: Debian's openmpi-bin, libopenmpi-dev, mpich and libmpich-dev have them", library)
			}
			test(t, library)
		})
	}
}

// OnSlurm skips a test if there is no Slurm; .ci/slurm starts one.
func OnSlurm(t *testing.T) {
	t.Helper()
	os.Getenv("SLURM_CONF") // read, so that go test does not cache results across Slurms
	if exec.CommandContext(t.Context(), "sinfo", "-h").Run() != nil {
		t.Skip("there is no Slurm here")
	}
}

// otherNode starts a command on this machine as if on the node given to rsh: node2 has its own name and a clock that is
// 7 s ahead.
const otherNode = `#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
[ "$host" = node2 ] || exec sh -c "$*"
exec unshare --time --monotonic 7 --uts sh -c 'hostname node2; exec sh -c "$*"' sh "$@"
`

// TwoNodes returns a command line that starts two ranks each on two nodes, made of namespaces of this machine.
func TwoNodes(t *testing.T, library string) []string {
	t.Helper()
	out, err := exec.Command("unshare", "--time", "--monotonic", "7", "--uts", "hostname", "node2").CombinedOutput()
	if err != nil {
		t.Skipf("no namespaces of time and names: %v\n%s", err, out)
	}
	rsh := filepath.Join(t.TempDir(), "rsh")
	if err := os.WriteFile(rsh, []byte(otherNode), 0o700); err != nil {
		t.Fatal(err)
	}
	if library == "mpich" {
		return []string{"mpirun.mpich", "-launcher", "ssh", "-launcher-exec", rsh, "-hosts", "node1,node2", "-ppn", "2",
			"-np", "4"}
	}
	return []string{"mpirun.openmpi", "--mca", "plm_rsh_agent", rsh, "--host", "node1:2,node2:2", "-np", "4"}
}

// Compiled compiles a program of testdata/record and returns its path.
func Compiled(t *testing.T, library, source string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(source, filepath.Ext(source)))
	compiler := map[string]string{".c": "mpicc.", ".cc": "mpicxx.", ".f90": "mpif90."}[filepath.Ext(source)]
	args := append([]string{"-w", "-g", "-O1", "-pthread", "-o", program, filepath.Join(Programs, source)}, flags...)
	out, err := exec.Command(compiler+library, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", source, err, out)
	}
	return program
}

// Patient returns the path of a preload library that makes ranks sleep while they wait in MPI_Recv and MPI_Ssend.
func Patient(t *testing.T, library string) string {
	t.Helper()
	return Compiled(t, library, "patient.c", "-shared", "-fPIC", "-Wl,--as-needed")
}

// WithOMPT returns the flags with which Compiled links a program with LLVM's OpenMP runtime, and skips the test if
// there is none.
func WithOMPT(t *testing.T) []string {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/llvm-*/lib/libomp.so")
	if len(found) == 0 {
		t.Skip("no LLVM OpenMP runtime: Debian's libomp-dev has it")
	}
	runtime := found[len(found)-1]
	return []string{"-fopenmp", "-Wl,--as-needed", runtime, "-Wl,-rpath," + filepath.Dir(runtime)}
}
