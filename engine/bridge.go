package engine

import "github.com/psgld/psgld-tui/engine/state"

// Names of package state, until all that use them name it.
type (
	AddLane        = state.AddLane
	Branch         = state.Branch
	Change         = state.Change
	Changed        = state.Changed
	Command        = state.Command
	Config         = state.Config
	Divergence     = state.Divergence
	Enough         = state.Enough
	Event          = state.Event
	Fact           = state.Fact
	InGesture      = state.InGesture
	LaneAdded      = state.LaneAdded
	LaneChange     = state.LaneChange
	LaneRemoved    = state.LaneRemoved
	LaneRewind     = state.LaneRewind
	Load           = state.Load
	Loaded         = state.Loaded
	Mark           = state.Mark
	ParamChange    = state.ParamChange
	Pause          = state.Pause
	Phase          = state.Phase
	Redo           = state.Redo
	Refusal        = state.Refusal
	Refused        = state.Refused
	RemoveLane     = state.RemoveLane
	ReplayEnded    = state.ReplayEnded
	Restart        = state.Restart
	Restarted      = state.Restarted
	Resume         = state.Resume
	Return         = state.Return
	Reversal       = state.Reversal
	Rewind         = state.Rewind
	RewindChange   = state.RewindChange
	Rewound        = state.Rewound
	SamplerChange  = state.SamplerChange
	ScheduleChange = state.ScheduleChange
	Seek           = state.Seek
	SetEach        = state.SetEach
	SetParam       = state.SetParam
	SetRace        = state.SetRace
	SetSampler     = state.SetSampler
	SetSchedule    = state.SetSchedule
	SetShift       = state.SetShift
	SetSpeed       = state.SetSpeed
	SetTarget      = state.SetTarget
	SetUntil       = state.SetUntil
	Setting        = state.Setting
	StepBy         = state.StepBy
	TargetSet      = state.TargetSet
	Truth          = state.Truth
	Undo           = state.Undo
	Unfitted       = state.Unfitted
	UntilSet       = state.UntilSet
	Watch          = state.Watch
)

const (
	AllDiverged   = state.AllDiverged
	AllLanes      = state.AllLanes
	Done          = state.Done
	Forward       = state.Forward
	FromNow       = state.FromNow
	GroupedChains = state.GroupedChains
	KeyChains     = state.KeyChains
	ManyChains    = state.ManyChains
	MaxChains     = state.MaxChains
	MaxLanes      = state.MaxLanes
	MaxTracked    = state.MaxTracked
	MinTruthDraws = state.MinTruthDraws
	Paused        = state.Paused
	Redone        = state.Redone
	RewindSteps   = state.RewindSteps
	Running       = state.Running
	Undone        = state.Undone
)

var (
	Branches       = state.Branches
	Chains         = state.Chains
	Changes        = state.Changes
	Check          = state.Check
	CheckTruth     = state.CheckTruth
	CovBias        = state.CovBias
	DefaultSetting = state.DefaultSetting
	Difference     = state.Difference
	EpochLock      = state.EpochLock
	EpsOfLR        = state.EpsOfLR
	Exactly        = state.Exactly
	FreeID         = state.FreeID
	Furthest       = state.Furthest
	Joint          = state.Joint
	LROfEps        = state.LROfEps
	LaneLetter     = state.LaneLetter
	LaneOf         = state.LaneOf
	Like           = state.Like
	Misfit         = state.Misfit
	OfTarget       = state.OfTarget
	Params         = state.Params
	RescueFactor   = state.RescueFactor
	TruthMethods   = state.TruthMethods
	Turnable       = state.Turnable
	Unfit          = state.Unfit
	UnknownSampler = state.UnknownSampler
	ValuesInForce  = state.ValuesInForce
)
