package efficiency

// Lookup finds a factor by its name.
func Lookup(name string) (*Factor, bool) {
	f, ok := byName[name]
	return f, ok
}
