package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// contents unpacks an archive.
func contents(t *testing.T, path string) map[string][]byte {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if executable := h.Mode&0o111 != 0; executable != strings.HasSuffix(h.Name, "/bin/pview") {
			t.Errorf("%s has mode %o", h.Name, h.Mode)
		}
	}
}

// An archive has what an administrator expects and has the same bytes each time; its program is static and stripped,
// and runs.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	const system = "linux/amd64"
	var both [2][]byte
	dir := t.TempDir()
	for i := range both {
		out := filepath.Join(dir, string(rune('a'+i)))
		if err := release(out, "1.2.3", []string{system}); err != nil {
			t.Fatal(err)
		}
		var err error
		if both[i], err = os.ReadFile(filepath.Join(out, "pview-1.2.3-linux-amd64.tar.gz")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(both[0], both[1]) {
		t.Error("two builds differ")
	}
	sums, err := os.ReadFile(filepath.Join(dir, "a", "SHA256SUMS"))
	if err != nil || !strings.HasSuffix(string(sums), "  pview-1.2.3-linux-amd64.tar.gz\n") {
		t.Errorf("%v: %s", err, sums)
	}
	files := contents(t, filepath.Join(dir, "a", "pview-1.2.3-linux-amd64.tar.gz"))
	for name, has := range map[string]string{
		"share/man/man1/pview.1":                     ".TH PVIEW 1",
		"share/bash-completion/completions/pview":    "__start_pview",
		"share/zsh/site-functions/_pview":            "#compdef pview",
		"share/fish/vendor_completions.d/pview.fish": "complete -c pview",
		"share/modulefiles/pview/1.2.3":              "prepend-path PATH $root/bin",
		"share/doc/pview/install.md":                 "module use",
		"LICENSE":                                    "Apache License",
		"NOTICE":                                     "github.com/spf13/cobra v",
		"README.md":                                  "pview",
	} {
		if text := files["pview-1.2.3/"+name]; !strings.Contains(string(text), has) {
			t.Errorf("%s has no %q (%d bytes)", name, has, len(text))
		}
	}
	program := files["pview-1.2.3/bin/pview"]
	e, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range e.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("it is not static: %v", p.Type)
		}
	}
	if e.Section(".symtab") != nil || e.Section(".debug_info") != nil {
		t.Error("it is not stripped")
	}
	if home, err := os.Getwd(); err != nil || bytes.Contains(program, []byte(filepath.Dir(filepath.Dir(home)))) {
		t.Errorf("it has the folder that it was built in (%v)", err)
	}
	if runtime.GOOS+"/"+runtime.GOARCH != system {
		return
	}
	path := filepath.Join(dir, "pview")
	if err := os.WriteFile(path, program, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "version").Output(); err != nil ||
		!strings.HasPrefix(string(out), "pview 1.2.3") {
		t.Errorf("%v: %s", err, out)
	}
}

// A wrong version or system is refused before anything is built.
func TestReleaseRefuses(t *testing.T) {
	for _, c := range []struct{ version, system, want string }{
		{"v1/../x", "linux/amd64", "must be numbers with dots"},
		{"", "linux/amd64", "must be numbers with dots"},
		{"1.0", "plan9/386", "must be one of linux/amd64"},
	} {
		if err := release(t.TempDir(), c.version, []string{c.system}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Every module that is in the program of any system has its licence in the notice.
func TestNoticeNamesAll(t *testing.T) {
	b := &build{root: "../.."}
	for _, system := range targets {
		list, err := b.modules(system)
		if err != nil {
			t.Fatal(err)
		}
		text, err := b.notice(system)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if !bytes.Contains(text, []byte("\n"+m.Path+" "+m.Version+"\n")) {
				t.Errorf("%s: no %s", system, m.Path)
			}
		}
		if len(list) < 10 || !bytes.Contains(text, []byte("The Go Authors")) {
			t.Errorf("%s: %d modules", system, len(list))
		}
	}
}

// The module file finds the program relative to itself, wherever the archive was unpacked: Tcl runs it, if available.
func TestModuleFile(t *testing.T) {
	tcl, err := exec.LookPath("tclsh")
	if err != nil {
		t.Skip("no Tcl here")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "share", "modulefiles", "pview", "1.2.3")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(moduleFile), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tcl)
	cmd.Stdin =
		strings.NewReader(
			"proc module-whatis {t} {}\nproc conflict {n} {}\nproc prepend-path {n v} {puts \"$n=$v\"}\nset " +
				"ModulesCurrentModulefile " + file + "\nsource " + file + "\n")
	out, err := cmd.CombinedOutput()
	want := "PATH=" + dir + "/bin\nMANPATH=" + dir + "/share/man\nXDG_DATA_DIRS=" + dir + "/share\n"
	if err != nil || string(out) != want {
		t.Errorf("%v: %s\nwant %s", err, out, want)
	}
}
