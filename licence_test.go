package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// permissive maps each licence under which pview may be distributed to words that no other kind of licence has.
var permissive = map[string]string{
	"MIT":        "permission is hereby granted, free of charge, to any person obtaining a copy",
	"BSD":        "redistribution and use in source and binary forms, with or without modification, are permitted",
	"Apache 2.0": "apache license version 2.0",
	"ISC": "permission to use, copy, modify, and/or distribute this software for any purpose with or without " +
		"fee is hereby granted",
	"ISC, older": "permission to use, copy, modify, and distribute this software for any purpose with or without fee " +
		"is hereby granted",
	"MPL 2.0":       "mozilla public license version 2.0",
	"public domain": "dedicated to the public domain by the authors",
}

// licenceOf returns the licence of a text; "" for one that is not among the permissive ones.
func licenceOf(text []byte) string {
	words := strings.ToLower(strings.Join(strings.Fields(string(text)), " "))
	words = strings.ReplaceAll(words, "mozilla public license, version 2.0", "mozilla public license version 2.0")
	for name, sentence := range permissive {
		if strings.Contains(words, sentence) {
			return name
		}
	}
	return ""
}

// Every module whose code is in the program has a permissive licence.
func TestLicences(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-json=Module", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Module *struct {
				Path, Dir string
				Main      bool
			}
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		m := p.Module
		if m == nil || m.Main || checked[m.Path] {
			continue
		}
		checked[m.Path] = true
		files, err := filepath.Glob(filepath.Join(m.Dir, "*[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
		if copying, _ := filepath.Glob(filepath.Join(m.Dir, "COPYING*")); len(files) == 0 {
			files = copying
		}
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no licence: %v", m.Path, err)
		}
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && info.IsDir() || filepath.Base(f) == "LICENSE-LOGO" {
				continue // licences of data, one file each, and of a picture that is not in the program
			}
			text, err := os.ReadFile(f)
			if err != nil || licenceOf(text) == "" {
				t.Errorf("%s: %s is not a permissive licence that we know (%v)", m.Path, filepath.Base(f), err)
			}
		}
	}
	if len(checked) < 10 {
		t.Errorf("only %d modules: %v", len(checked), checked)
	}
}

func TestLicenceOf(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted, free of charge,\nto any person obtaining a copy": "MIT",
		"GNU GENERAL PUBLIC LICENSE Version 3":                                          "",
		"":                                                                              "",
	} {
		if got := licenceOf([]byte(text)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
