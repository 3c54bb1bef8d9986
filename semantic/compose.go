package semantic

// composeFunc changes a row in place.
type composeFunc func(b *bursts, p params, c clock)

// composeTable lists the compose functions.
var composeTable = []Entry{
	{Name: "As Is", Doc: "the value unchanged", compose: func(*bursts, params, clock) {}},
}
