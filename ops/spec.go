package ops

// field is one argument of an operation. Every written form of an operation is driven by the list of its fields, so a new
// operation is a row in kindSpecs and a new argument is one case in each form.
type field uint8

const (
	fieldKey field = iota
	fieldDistance
	fieldHints
	fieldSources
	fieldRef
	fieldReportPlace  // answer, busy: always brings a place, the given one unless it says otherwise
	fieldOutcomePlace // outcome: brings none unless it says so
	fieldWait
	fieldOutcome
	fieldPeer
	fieldAsksBusy
	fieldMaxAge
	fieldLimit
	fieldKeys
	fieldShow
	fieldConfig
)

const (
	onScheduler = 1 << SchedulerMachine
	onResponder = 1 << ResponderMachine
	onBoth      = onScheduler | onResponder
)

// kindSpec says which machine has an operation, whether it carries now, and its arguments in the order of the text form.
type kindSpec struct {
	on     uint8
	timed  bool
	refKey string // the protocol's name of the Ref argument
	fields []field
}

var kindSpecs = [NumKinds]kindSpec{
	Init:       {onBoth, false, "", []field{fieldConfig}},
	Add:        {onScheduler, true, "", []field{fieldKey, fieldHints}},
	Promote:    {onScheduler, true, "", []field{fieldKey, fieldDistance, fieldSources}},
	Enqueue:    {onScheduler, true, "", []field{fieldKey, fieldDistance, fieldSources}},
	Fill:       {onScheduler, true, "", nil},
	Arrive:     {onScheduler, false, "attempt", []field{fieldRef}},
	Answer:     {onScheduler, true, "attempt", []field{fieldRef, fieldReportPlace}},
	BusyReply:  {onScheduler, true, "attempt", []field{fieldRef, fieldWait, fieldReportPlace}},
	Outcome:    {onScheduler, true, "attempt", []field{fieldRef, fieldOutcome, fieldOutcomePlace}},
	Depart:     {onScheduler, true, "", []field{fieldPeer}},
	Remove:     {onScheduler, true, "", []field{fieldKey}},
	Evict:      {onScheduler, true, "", []field{fieldMaxAge}},
	Stop:       {onScheduler, true, "", nil},
	Ready:      {onScheduler, true, "", []field{fieldLimit}},
	Drained:    {onScheduler, true, "", []field{fieldKeys}},
	Request:    {onResponder, true, "", []field{fieldPeer, fieldAsksBusy}},
	Take:       {onResponder, true, "ticket", []field{fieldRef}},
	Release:    {onResponder, true, "ticket", []field{fieldRef}},
	SendDone:   {onResponder, true, "send", []field{fieldRef}},
	StateQuery: {onBoth, true, "", []field{fieldShow}},
}

// On reports whether machine m has operations of kind k.
func (k Kind) On(m Machine) bool { return kindSpecs[k].on&(1<<m) != 0 }

// Timed reports whether operations of kind k carry now.
func (k Kind) Timed() bool { return kindSpecs[k].timed }

func indexOf(names []string, s string) int {
	for i, n := range names {
		if n == s {
			return i
		}
	}
	return -1
}

// ParseOutcome reads a name of section 9's table.
func ParseOutcome(s string) (OutcomeKind, bool) {
	i := indexOf(outcomeNames[:], s)
	return OutcomeKind(max(i, 0)), i >= 0
}
