package record

// The C source of the library: lib/*.c with a wrapper for each function of the user's mpi.h. The header gives the
// functions and their arguments; the table of calls tells which of them to record.

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

//go:embed lib/prologue.c
var prologue string

//go:embed lib/record.c
var recorder string

//go:embed lib/openmp.c
var openMP string

//go:embed lib/pview.h
var header string

// prototype is a function declared in the header.
type prototype struct {
	name       string   // without MPI_
	parameters string   // as declared
	arguments  []string // names
}

var (
	declaration = regexp.MustCompile(`\bint\s+MPI_(\w+)\s*\(([^()]*)\)`)
	lastName    = regexp.MustCompile(`(\w+)\s*(\[[^\]]*\]\s*)*$`)
	argument    = regexp.MustCompile(`\$(\d+)`)
)

// prototypes returns the functions declared in a preprocessed mpi.h, each once, in the header's order.
func prototypes(text string) (list []prototype) {
	seen := map[string]bool{}
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	for _, m := range declaration.FindAllStringSubmatch(strings.Join(lines, " "), -1) {
		p := prototype{name: m[1], parameters: strings.Join(strings.Fields(m[2]), " ")}
		if seen[p.name] || strings.Contains(p.parameters, "...") || strings.HasPrefix(p.name, "T_") {
			continue
		}
		if p.parameters != "void" {
			named := true
			for _, parameter := range strings.Split(p.parameters, ",") {
				name := lastName.FindStringSubmatch(strings.TrimSpace(parameter))
				named = named && name != nil && len(strings.Fields(parameter)) > 1
				if named {
					p.arguments = append(p.arguments, name[1])
				}
			}
			if !named {
				continue
			}
		}
		seen[p.name] = true
		list = append(list, p)
	}
	return list
}

// needed are the functions that the recorder itself calls.
var needed = regexp.MustCompile(`\bP\((\w+)\)`)

// source returns the C source of the library for a preprocessed mpi.h.
func source(mpi string) (string, error) {
	var pointers, lookups, numbers, names, wrappers strings.Builder
	list := prototypes(mpi)
	known := map[string]bool{}
	number := 0
	for _, p := range list {
		known[p.name] = true
		fmt.Fprintf(&pointers, "static __typeof__(MPI_%s) *real_MPI_%[1]s;\n", p.name)
		fmt.Fprintf(&lookups, "\t{(void **)&real_MPI_%s, \"PMPI_%[1]s\"},\n", p.name)
		own := p.name == "Init" || p.name == "Init_thread" || p.name == "Finalize"
		if !own && !isRecorded(p.name) {
			continue
		}
		number++
		fmt.Fprintf(&numbers, "\tPV_MPI_%s = %d,\n", p.name, number)
		fmt.Fprintf(&names, "\t[%d] = \"MPI_%s\",\n", number, p.name)
		if own {
			fmt.Fprintf(&wrappers, "PV_ALIAS(int, %s, (%s))\n", p.name, p.parameters)
			continue
		}
		text, err := wrapper(p)
		if err != nil {
			return "", err
		}
		wrappers.WriteString(text)
	}
	for _, m := range needed.FindAllStringSubmatch(recorder, -1) {
		if !known[m[1]] {
			return "", fmt.Errorf("the MPI library has no MPI_%s: MPI 3.0 or later is needed", m[1])
		}
	}
	return prologue + "\n#ifndef PVIEW_STATIC\n" + pointers.String() +
		"static const struct { void **to; const char *name; } pv_functions[] = {\n" + lookups.String() + "};\n#endif\n" +
		"enum {\n" + numbers.String() + "};\nstatic const char *const pv_call_names[] = {\n" + names.String() + "};\n\n" +
		recorder + "\n" + openMP + "\n" + wrappers.String(), nil
}

// wrapper returns the C source of a wrapper.
func wrapper(p prototype) (string, error) {
	c := callOf(p.name)
	var err error
	fill := func(code string) string {
		return argument.ReplaceAllStringFunc(code, func(ref string) string {
			i, _ := strconv.Atoi(ref[1:])
			if i >= len(p.arguments) {
				err = fmt.Errorf("MPI_%s of this MPI library has %d arguments: argument %d is missing", p.name,
					len(p.arguments), i+1)
				return ref
			}
			return p.arguments[i]
		})
	}
	invoke := fmt.Sprintf("P(%s)(%s)", p.name, strings.Join(p.arguments, ", "))
	text := fmt.Sprintf(`int MPI_%s(%s) {
	pv_rec *pv_r = pv_enter(PV_MPI_%[1]s, __builtin_return_address(0));
	if (!pv_r) return %[3]s;
	%[4]s
	int pv_e = %[3]s;
	%[5]s
	pv_leave(pv_r, pv_e != MPI_SUCCESS);
	return pv_e;
}
PV_ALIAS(int, %[1]s, (%[2]s))
`, p.name, p.parameters, invoke, fill(c.before), fill(c.after))
	return text, err
}
