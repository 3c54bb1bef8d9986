package semantic

// deriveFunc computes a row from the rows of two parents, whose factors are
// applied already.
type deriveFunc func(a, b bursts, p params) bursts

// derivedTable lists the operations of derived windows.
var derivedTable []Entry
