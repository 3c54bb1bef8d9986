package record

import (
	"slices"
	"strings"
	"testing"

	"pview/prv/extrae"
)

// Each function of a header is listed once. Preprocessor lines may interrupt declarations; functions with unnamed or
// variable arguments, and those of MPI_T, are left out.
func TestPrototypes(t *testing.T) {
	got := prototypes(`# 1 "mpi.h"
int MPI_Init(int *argc, char ***argv);
extern int MPI_Send(const void *buf, int count,
# 7 "mpi.h"
    MPI_Datatype type, int ranks[][3]) __attribute__((x));
int MPI_Send(const void *other);
int MPI_Finalize(void); int MPI_Odd(int, char *name);
int MPI_Pcontrol(const int level, ...);
int MPI_T_init_thread(int required);
double MPI_Wtime(void);
int PMPI_Recv(void *buf);
`)
	var list []string
	for _, p := range got {
		list = append(list, p.name+"("+p.parameters+") "+strings.Join(p.arguments, " "))
	}
	want := []string{"Init(int *argc, char ***argv) argc argv",
		"Send(const void *buf, int count, MPI_Datatype type, int ranks[][3]) buf count type ranks", "Finalize(void) "}
	if !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
}

// A wrapper records the arguments that the table names; it is an error if a header lacks one of them.
func TestWrappers(t *testing.T) {
	p := prototypes("int MPI_Barrier(MPI_Comm comm);")[0]
	text, err := wrapper(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"int MPI_Barrier(MPI_Comm comm) {",
		"pv_rec *pv_r = pv_enter(PV_MPI_Barrier, __builtin_return_address(0));", "if (!pv_r) return P(Barrier)(comm);",
		"int pv_e = P(Barrier)(comm);", "PV_ALIAS(int, Barrier, (MPI_Comm comm))"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if strings.Contains(text, "$0") {
		t.Errorf("an argument is not filled in:\n%s", text)
	}
	if _, err := wrapper(prototype{name: "Send", arguments: []string{"buf"}}); err == nil ||
		!strings.Contains(err.Error(), "MPI_Send of this MPI library has 1 arguments: argument ") {
		t.Errorf("a Send with one argument: %v", err)
	}
	if _, err := source("int MPI_Init(int *argc, char ***argv);"); err == nil ||
		!strings.HasSuffix(err.Error(), ": MPI 3.0 or later is needed") {
		t.Errorf("a library with MPI_Init alone: %v", err)
	}
}

// Calls are recorded by Extrae's number, else as the blocking call of the same name, else by their family.
func TestEntriesOfCalls(t *testing.T) {
	for name, want := range map[string]extrae.MPICall{
		"Send": {Type: ptp, Value: 1, State: 4}, "Send_c": {Type: ptp, Value: 0, State: 4},
		"Bcast": {Type: coll, Value: 7, State: 13}, "Ibcast": {Type: coll, Value: 157, State: 13},
		"Igatherv": {Type: coll, Value: 0, State: 13}, "File_sync": {Type: file, State: 12},
		"Win_flush": {Type: rma, State: 17}, "Comm_spawn": {Type: other, State: 15}, "I": {Type: other, State: 15},
	} {
		if got := callOf(name).MPICall; got != want {
			t.Errorf("%s is recorded as %+v, want %+v", name, got, want)
		}
	}
	for name, want := range map[string]bool{"Send": true, "Init": false, "Comm_rank": true, "Type_commit": false,
		"Comm_c2f": false, "Comm_f2c": false, "Pack": false, "Pack_c": false, "Packet": true, "Comm_get_attr": false,
		"Comm_split": true, "Info_free": false} {
		if got := isRecorded(name); got != want {
			t.Errorf("%s is recorded: %v", name, got)
		}
	}
}
