package record

// Compiling the library with the user's MPI compiler, once for each MPI library and version.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"pview/prv"
)

// Flavours of MPI libraries, by their binary interface.
const (
	OpenMPI = "Open MPI"
	MPICH   = "MPICH" // and Intel MPI, MVAPICH, Cray MPI
)

// Compiler is an MPI compiler.
type Compiler struct {
	Path    string
	Flavour string
	header  string // mpi.h, preprocessed, and versions
	source  string
}

// versions are the macros that give the version of an MPI library.
const versions = "MPI_VERSION MPI_SUBVERSION OMPI_MAJOR_VERSION OMPI_MINOR_VERSION OMPI_RELEASE_VERSION " +
	"MPICH_NUMVERSION I_MPI_NUMVERSION MVAPICH2_NUMVERSION"

// NewCompiler asks an MPI compiler for the functions of its MPI library.
func NewCompiler(ctx context.Context, mpicc string) (*Compiler, error) {
	path, err := exec.LookPath(mpicc)
	if err != nil {
		return nil, fmt.Errorf("%s: not found", mpicc)
	}
	cmd := exec.CommandContext(ctx, path, "-E", "-x", "c", "-")
	cmd.Stdin = strings.NewReader("#include <mpi.h>\n" + versions + "\n")
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s cannot read mpi.h: %s", mpicc, firstLine(fault.String(), err))
	}
	c := &Compiler{Path: path, Flavour: MPICH, header: out.String()}
	if strings.Contains(c.header, "ompi_communicator_t") {
		c.Flavour = OpenMPI
	}
	c.source, err = source(c.header)
	return c, err
}

// firstLine returns the line with the error in a compiler's output.
func firstLine(text string, err error) string {
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "error") {
			return strings.TrimSpace(line)
		}
	}
	if text = strings.TrimSpace(text); text != "" {
		line, _, _ := strings.Cut(text, "\n")
		return line
	}
	return err.Error()
}

// Library compiles the library, unless the cache folder has it, and puts it into the folder of the records, which all
// nodes must see. If LD_PRELOAD cannot hold that path, it returns a path in the cache or in a temporary folder. remove
// removes temporary copies.
func (c *Compiler) Library(ctx context.Context, records string) (path string, remove func(), err error) {
	const separators = " :" // in LD_PRELOAD
	key := sha256.Sum256([]byte(strings.Join([]string{runtime.GOARCH, c.Path, c.header, c.source}, "\n")))
	name := fmt.Sprintf("%x.so", key[:10])
	cached := filepath.Join(xdg.CacheHome, "pview", "record", name)
	remove = func() {}
	err = c.cache(ctx, cached)
	var fault *compileError
	if errors.As(err, &fault) {
		return "", remove, err
	}
	put := func(to string) error { return c.compileShared(ctx, to) }
	path = filepath.Join(records, "pview.so")
	switch {
	case !strings.ContainsAny(path, separators):
		remove = func() { os.Remove(path) }
		if err == nil {
			put = func(to string) error { return copyTo(to, cached) }
		}
	case err == nil && !strings.ContainsAny(cached, separators):
		return cached, remove, nil
	default:
		folder, bad := prv.NewTempFolder("", "pview-record-")
		if bad != nil {
			return "", remove, bad
		}
		path, remove = filepath.Join(folder.Path, name), folder.Remove
		if err == nil {
			put = func(to string) error { return os.Symlink(cached, to) }
		}
	}
	if err = put(path); err == nil && strings.ContainsAny(path, separators) {
		err = fmt.Errorf("LD_PRELOAD cannot hold %s: it has a space or a colon (see TMPDIR)", path)
	}
	if err != nil {
		remove()
	}
	return path, remove, err
}

// copyTo copies a file.
func copyTo(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// cache compiles the library unless it is already in the cache folder.
func (c *Compiler) cache(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return c.compileShared(ctx, path)
}

func (c *Compiler) compileShared(ctx context.Context, path string) error {
	return c.compile(ctx, path, "-shared", "-fPIC", "-Wl,--as-needed")
}

// WriteLibrary writes libpview.a, for linking with programs, and pview.h to a folder, which it creates.
func (c *Compiler) WriteLibrary(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	object := filepath.Join(dir, "pview.o")
	if err := c.compile(ctx, object, "-c", "-fPIC", "-DPVIEW_STATIC"); err != nil {
		return err
	}
	defer os.Remove(object)
	archive := filepath.Join(dir, "libpview.a")
	os.Remove(archive)
	if out, err := exec.CommandContext(ctx, "ar", "rcs", archive, object).CombinedOutput(); err != nil {
		return fmt.Errorf("ar: %s", firstLine(string(out), err))
	}
	return os.WriteFile(filepath.Join(dir, "pview.h"), []byte(header), 0o666)
}

// compileError is a failed compilation.
type compileError struct{ why string }

func (e *compileError) Error() string { return e.why }

// compile makes a file of the library, which appears once complete.
func (c *Compiler) compile(ctx context.Context, path string, flags ...string) error {
	folder, err := prv.NewTempFolder(filepath.Dir(path), ".part-")
	if err != nil {
		return err
	}
	defer folder.Remove()
	part := filepath.Join(folder.Path, filepath.Base(path))
	args := append([]string{"-std=gnu11", "-O2", "-w", "-fvisibility=default", "-o", part, "-x", "c", "-"}, flags...)
	cmd := exec.CommandContext(ctx, c.Path, args...)
	cmd.Stdin = strings.NewReader(c.source)
	var fault bytes.Buffer
	cmd.Stderr = &fault
	if err := cmd.Run(); err != nil {
		return &compileError{fmt.Sprintf("%s: %s", c.Path, firstLine(fault.String(), err))}
	}
	if err := os.Chmod(part, 0o755); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// Supported reports why programs cannot be recorded on this system; "" if they can.
func Supported() string {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		return fmt.Sprintf("recording needs Linux on x86-64 or arm64, not %s on %s", runtime.GOOS, runtime.GOARCH)
	}
	return ""
}

// libraries are the MPI libraries, by the names that programs link.
var libraries = []struct{ prefix, flavour string }{
	{"libmpi.so.40", OpenMPI}, {"libmpi_mpifh.so.40", OpenMPI}, {"libmpi.so.20", OpenMPI},
	{"libmpich.so.12", MPICH}, {"libmpichfort.so.12", MPICH}, {"libmpi.so.12", MPICH}, {"libmpifort.so.12", MPICH},
}

// flavourOf returns the flavour of the MPI library that the first program of a command line is linked with, "" if none,
// as in a script.
func flavourOf(args []string) string {
	for _, f := range programs(args) {
		needed, _ := f.ImportedLibraries()
		for _, l := range libraries {
			if slices.Contains(needed, l.prefix) {
				return l.flavour
			}
		}
	}
	return ""
}

// programs returns the programs among the words of a command line.
func programs(args []string) iter.Seq2[string, *elf.File] {
	return func(yield func(string, *elf.File) bool) {
		for _, arg := range args {
			path, err := exec.LookPath(arg)
			if err != nil {
				continue
			}
			f, err := elf.Open(path)
			if err != nil {
				continue
			}
			more := yield(arg, f)
			f.Close()
			if !more {
				return
			}
		}
	}
}

// launchers are the commands that launch MPI programs.
var launchers = []string{"mpirun", "mpiexec", "orterun", "prterun"}

// FindCompiler finds the compiler for a command line: the one beside its launcher, else an mpicc of the flavour that
// the program is linked with.
func FindCompiler(ctx context.Context, args []string) (*Compiler, error) {
	flavour := flavourOf(args)
	var tries []string
	if name := filepath.Base(args[0]); isLauncher(name) {
		_, suffix, _ := strings.Cut(name, ".")
		if suffix != "" {
			suffix = "." + suffix
		}
		tries = append(tries, filepath.Join(filepath.Dir(args[0]), "mpicc"+suffix))
		if !strings.ContainsRune(args[0], filepath.Separator) {
			tries[0] = "mpicc" + suffix
		}
	}
	tries = append(tries, "mpicc", "mpicc.openmpi", "mpicc.mpich", "cc")
	var first error
	for _, try := range tries {
		c, err := NewCompiler(ctx, try)
		switch {
		case err == nil && (flavour == "" || c.Flavour == flavour):
			return c, nil
		case err == nil:
			err = fmt.Errorf("%s compiles for %s, the program is linked with %s", try, c.Flavour, flavour)
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// Unseen returns the first program of a command line whose MPI calls the recorder cannot see, and why; "" if there is
// none.
func Unseen(args []string) (program, why string) {
	for arg, f := range programs(args) {
		if !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
			return arg, "is statically linked, and loads no recorder"
		}
		symbols, _ := f.Symbols()
		if slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
			return s.Name == "MPI_Init" && s.Section != elf.SHN_UNDEF
		}) {
			return arg, "is linked with a static MPI library, whose calls the recorder does not see"
		}
	}
	return "", ""
}

func isLauncher(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	return slices.Contains(launchers, name)
}
