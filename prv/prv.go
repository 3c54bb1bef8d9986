// Package prv has the trace: opening and writing Paraver's .prv, .pcf and .row files, and the index.
//
// The package moves data between files and memory. Package model has the data itself; this package re-exports its
// names. Neither interprets: package semantic defines the meaning of states and events, package filter selects them.
package prv

import (
	"pview/prv/model"
	"pview/prv/store"
)

// Types and functions of package store.
type (
	Builder = store.Builder
	Options = store.Options
	Watcher = store.Watcher
	Part    = store.Part
	Lines   = store.Lines
	Line    = store.Line
)

// NewBuilder and NewLines are package store's.
var (
	NewBuilder = store.NewBuilder
	NewLines   = store.NewLines
)

// The kinds of lines.
const (
	StateLine = store.StateLine
	EventLine = store.EventLine
	CommLine  = store.CommLine
	OtherLine = store.OtherLine
)

// Types of package model.
type (
	TimedPair    = model.TimedPair
	Doubt        = model.Doubt
	Doubts       = model.Doubts
	Labels       = model.Labels
	Setting      = model.Setting
	ValueLabel   = model.ValueLabel
	RGB          = model.RGB
	ColorEntry   = model.ColorEntry
	EventType    = model.EventType
	Header       = model.Header
	Pair         = model.Pair
	Comm         = model.Comm
	Communicator = model.Communicator
	Resources    = model.Resources
	Level        = model.Level
	Ptask        = model.Ptask
	Names        = model.Names
	FileError    = model.FileError
	Skipped      = model.Skipped
	Reason       = model.Reason
	Problem      = model.Problem
	Cut          = model.Cut
	Note         = model.Note
	Summary      = model.Summary
	StateSum     = model.StateSum
	TypeSum      = model.TypeSum
	States       = model.States
	Events       = model.Events
	Values       = model.Values
	Bits         = model.Bits
	Comms        = model.Comms
	Role         = model.Role
	Trace        = model.Trace
	Unit         = model.Unit
	Thread       = model.Thread
)

// Constants of package model.
const (
	StateOutOfOrder    = model.StateOutOfOrder
	StateOverlap       = model.StateOverlap
	ReceivedBeforeSent = model.ReceivedBeforeSent
	AfterEnd           = model.AfterEnd
	EndBeforeBegin     = model.EndBeforeBegin
	CPUTimeComment     = model.CPUTimeComment
	LevelWorkload      = model.LevelWorkload
	LevelPtask         = model.LevelPtask
	LevelTask          = model.LevelTask
	LevelThread        = model.LevelThread
	LevelSystem        = model.LevelSystem
	LevelNode          = model.LevelNode
	LevelCPU           = model.LevelCPU
	UnknownKind        = model.UnknownKind
	MissingField       = model.MissingField
	NotANumber         = model.NotANumber
	Overflow           = model.Overflow
	UnknownObject      = model.UnknownObject
	UnknownCPU         = model.UnknownCPU
	WrongNode          = model.WrongNode
	NegativeTime       = model.NegativeTime
	NoEnd              = model.NoEnd
	LogicalSend        = model.LogicalSend
	PhysicalSend       = model.PhysicalSend
	LogicalRecv        = model.LogicalRecv
	PhysicalRecv       = model.PhysicalRecv
	Microseconds       = model.Microseconds
	Nanoseconds        = model.Nanoseconds
	Milliseconds       = model.Milliseconds
)

// Functions and tables of package model.
var (
	Assemble      = model.Assemble
	Clean         = model.Clean
	UTF8          = model.UTF8
	IsPlain       = model.IsPlain
	AllDoubts     = model.AllDoubts
	Equal         = model.Equal
	DefaultTypes  = model.DefaultTypes
	ParseLabels   = model.ParseLabels
	DefaultStates = model.DefaultStates
	LevelOfID     = model.LevelOfID
	Levels        = model.Levels
	ParseNames    = model.ParseNames
	Reasons       = model.Reasons
	Summarize     = model.Summarize
	NewBits       = model.NewBits
	NewValues     = model.NewValues
	ValuesOf      = model.ValuesOf
)
