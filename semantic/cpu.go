package semantic

// cpuFunc computes the value of a CPU from that of the thread that is active
// on it.
type cpuFunc func(v float64, p params) float64

// cpuTable lists the functions of CPUs.
var cpuTable = []Entry{
	{Name: "Active Thd", Doc: "value of the thread that was last seen on the CPU", cpu: func(v float64, _ params) float64 { return v }},
}
