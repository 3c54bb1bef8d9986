//go:build !unix

package cli

// ignoreFileLimit has nothing to do here.
func ignoreFileLimit() {}
