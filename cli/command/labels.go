package command

// EventTypes returns the event types of a flag, or the defaults.
func EventTypes(named []uint, usual []uint32) ([]uint32, error) {
	if len(named) == 0 {
		return usual, nil
	}
	var types []uint32
	for _, n := range named {
		if n > 1<<32-1 {
			return nil, Usagef("--blocks %d: event types are below 2^32", n)
		}
		types = append(types, uint32(n))
	}
	return types, nil
}
