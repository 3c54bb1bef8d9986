package stat

// Statistic describes a statistic of histograms.
type Statistic struct {
	Name  string // as Paraver spells it
	Doc   string
	Comms bool // of communications: the columns are partners
}

// Statistics lists the statistics in the order of Paraver's menus.
var Statistics = []Statistic{
	{Name: "Time", Doc: "time"},
	{Name: "% Time", Doc: "time, in percent of the row's"},
	{Name: "% Time Not Zero", Doc: "time, in percent of the row's; bursts of control value 0 are left out"},
	{Name: "% Window Time", Doc: "time, in percent of the range"},
	{Name: "# Bursts", Doc: "number of bursts"},
	{Name: "% # Bursts", Doc: "number of bursts, in percent of the row's"},
	{Name: "Integral", Doc: "integral of the data's value without its sign over time"},
	{Name: "Average value", Doc: "mean of the data's value over time"},
	{Name: "Maximum", Doc: "greatest value of the data"},
	{Name: "Minimum", Doc: "least value of the data"},
	{Name: "Average Burst Time", Doc: "mean duration of a burst"},
	{Name: "Stdev Burst Time", Doc: "standard deviation of the bursts' durations"},
	{Name: "Average per Burst", Doc: "mean of the data's value over bursts, whatever their lengths"},
	{Name: "Average value != 0", Doc: "mean of the data's value over the time in which it is not 0"},
	{Name: "Average per Burst != 0", Doc: "mean of the data's value over bursts in which it is not 0"},
	{Name: "# Bursts != 0", Doc: "number of bursts in which the data's value is not 0"},
	{Name: "Sum bursts", Doc: "sum of the data's value over bursts"},
	{Name: "#Sends", Doc: "messages sent", Comms: true},
	{Name: "#Receives", Doc: "messages received", Comms: true},
	{Name: "Bytes sent", Doc: "bytes sent", Comms: true},
	{Name: "Bytes received", Doc: "bytes received", Comms: true},
	{Name: "Average bytes sent", Doc: "mean size of the messages sent", Comms: true},
	{Name: "Average bytes received", Doc: "mean size of the messages received", Comms: true},
	{Name: "Minimum bytes sent", Doc: "least size of the messages sent", Comms: true},
	{Name: "Minimum bytes received", Doc: "least size of the messages received", Comms: true},
	{Name: "Maximum bytes sent", Doc: "greatest size of the messages sent", Comms: true},
	{Name: "Maximum bytes received", Doc: "greatest size of the messages received", Comms: true},
}

// Lookup finds a statistic by its name.
func Lookup(name string) (*Statistic, bool) {
	for i := range Statistics {
		if Statistics[i].Name == name {
			return &Statistics[i], true
		}
	}
	return nil, false
}
