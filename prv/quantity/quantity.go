// Package quantity reads and writes times, sizes, rates and counts. It is the only place that defines units:
//
//   - kB, MB, GB, TB are powers of 1000, KiB, MiB, GiB, TiB powers of 1024.
//   - A letter alone (64K, 2G) is a power of 1024, as for dd and as for Dimemas's own -S 64K.
//   - The bandwidths of a simulated machine count as Dimemas's files do, where 1 MB/s is 2^20 bytes per second
//     (MachineRate). Bits are decimal there too: 1 Gbit/s is 10^9 bits per second, as networks are sold.
//
// Values for people have four significant digits, in the most readable unit; Exact and FormatExact lose nothing.
package quantity

import "strings"

// Unit is a unit, with its size in the base unit of its kind.
type Unit struct {
	Name string
	Of   float64
}

// Kind is a kind of quantity.
type Kind struct {
	Base   string // the unit that values count
	Read   []Unit // accepted units
	Shown  []Unit // units for writing, ascending
	whole  bool   // values are whole numbers: a unit is used only where it divides the value
	folded bool   // case is ignored when reading
}

// The kinds. Number has no units.
var (
	Time = &Kind{Base: "ns",
		Read: []Unit{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9},
			{"min", 60e9}, {"m", 60e9}, {"h", 3600e9}, {"d", 86400e9}},
		Shown: []Unit{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}}
	// Bytes are written in powers of 1000.
	Bytes = &Kind{Base: "B", Read: sizes, Shown: decimalSizes, whole: true, folded: true}
	// Limits are sizes chosen by people, such as 64 KiB: they are written in powers of 1024.
	Limits = &Kind{Base: "B", Read: sizes, Shown: binarySizes, whole: true, folded: true}
	// MachineRate is a bandwidth in Dimemas's MB/s, of 2^20 bytes.
	MachineRate = &Kind{Base: "MB/s",
		Read: []Unit{{"B/s", 1.0 / (1 << 20)}, {"KB/s", 1.0 / (1 << 10)}, {"kB/s", 1.0 / (1 << 10)},
			{"KiB/s", 1.0 / (1 << 10)},
			{"Mbit/s", 1e6 / 8 / (1 << 20)}, {"Mb/s", 1e6 / 8 / (1 << 20)}, {"MB/s", 1}, {"MiB/s", 1},
			{"Gbit/s", 1e9 / 8 / (1 << 20)}, {"Gb/s", 1e9 / 8 / (1 << 20)},
			{"GB/s", 1 << 10}, {"GiB/s", 1 << 10}, {"TB/s", 1 << 20}, {"TiB/s", 1 << 20}},
		Shown: []Unit{{"B/s", 1.0 / (1 << 20)}, {"KB/s", 1.0 / (1 << 10)}, {"MB/s", 1}, {"GB/s", 1 << 10}}}
	// Share is a part of a whole, of which 1 is all; Percent counts hundredths. Both are written in percent.
	Share   = &Kind{Base: "share", Read: []Unit{{"%", 0.01}}, Shown: []Unit{{"%", 0.01}}}
	Percent = &Kind{Base: "%", Read: []Unit{{"%", 1}}, Shown: []Unit{{"%", 1}}}
	Number  = &Kind{}
)

var (
	decimalSizes = []Unit{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"PB", 1e15}}
	binarySizes  = []Unit{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}
	sizes        = append(append([]Unit{{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}},
		decimalSizes...), binarySizes[1:]...)
)

// UnitNames lists the accepted units: "ns, us, ms, s".
func (k *Kind) UnitNames() string {
	var names []string
	for _, u := range k.Read {
		if u.Name[0] < 0x80 {
			names = append(names, u.Name)
		}
	}
	return strings.Join(names, ", ")
}

// unit finds a unit by its name. The name of a rate may lack "/s".
func (k *Kind) unit(name string) (Unit, bool) {
	for _, u := range k.Read {
		if u.Name == name || u.Name == name+"/s" || k.folded && strings.EqualFold(u.Name, name) {
			return u, true
		}
	}
	return Unit{}, false
}
