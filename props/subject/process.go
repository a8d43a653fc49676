package subject

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fetchproof/ops"
)

// ProcessFactory makes subjects that are processes: command with its arguments, split as a shell would, driven by the protocol
// of docs/PROTOCOL.md. Each subject starts its own process when it is first needed, and again after one that failed.
// Deadline is how long the process may take for a line, the start included; it must be positive. The factory fails if the
// command cannot be split or started.
func ProcessFactory(command string, deadline time.Duration) Factory {
	return func() (Subject, error) {
		words, err := Split(command)
		if err != nil {
			return nil, err
		}
		if deadline <= 0 {
			return nil, fmt.Errorf("deadline %s: want more than nothing", deadline)
		}
		p := &Process{words: words, deadline: deadline, patience: deadline}
		if p.child, err = start(words); err != nil {
			return nil, fmt.Errorf("starting the subject: %w", err)
		}
		return p, nil
	}
}

// Process is a subject that is a process. It must be closed.
type Process struct {
	words    []string
	deadline time.Duration
	patience time.Duration // how long lines are waited for once the process has answered: the deadline, less after a hang
	child    *child        // nil: not running
	greeted  bool          // the process has answered its first line
	machine  ops.Machine
	name     string
	lacks    [ops.NumKinds]bool

	due    []ops.Kind // what the lines without an answer are, from due[first]
	first  int
	sent   sentLines
	out    []byte // lines that were not written yet
	line   []byte // scratch
	result ops.Result

	stalled bool // the pipe took no more of out
}

// flushAt is how many bytes of lines are kept together: enough to spare system calls, few enough to keep the subject busy while
// the suite prepares more.
const flushAt = 4 << 10

// Name is what the subject calls itself, once it was started; it may be empty.
func (p *Process) Name() string { return p.name }

// Lacks reports whether the subject has answered unsupported to an operation of kind k.
func (p *Process) Lacks(k ops.Kind) bool { return p.lacks[k] }

// Init starts the machine afresh, and the process too if it does not run. Answers that are still due are read and
// forgotten.
func (p *Process) Init(config *ops.Config) error {
	p.forget()
	if p.child == nil {
		var err error
		if p.child, err = start(p.words); err != nil {
			return p.trouble(Crash, "the subject does not start again: "+err.Error())
		}
	}
	p.machine = config.Machine
	if err := p.Send(&ops.Op{Kind: ops.Init, Config: config}); err != nil {
		return err
	}
	line, err := p.receiveLine()
	if err != nil {
		return err
	}
	if err := ops.ParseAnswer(line, config.Machine, ops.Init, &p.result, nil); err != nil {
		return p.wrong(line, err)
	}
	if p.result.Code == ops.Unsupported {
		t := p.describe(Refused, fmt.Sprintf("the subject has no %s", config.Machine))
		p.answered()
		return t
	}
	if p.name, err = ops.ParseWelcome(line); err != nil {
		return p.wrong(line, err)
	}
	p.answered()
	return nil
}

// Apply carries out one operation.
func (p *Process) Apply(op *ops.Op, res *ops.Result) error {
	if p.lacks[op.Kind] {
		res.Reset()
		res.Code = ops.Unsupported
		return nil
	}
	if err := p.Send(op); err != nil {
		return err
	}
	return p.Receive(res, nil)
}

// State asks for the state.
func (p *Process) State(now ops.Time, st *ops.State) error {
	if p.lacks[ops.StateQuery] {
		st.Fields = 0
		return nil
	}
	if err := p.Send(&ops.Op{Kind: ops.StateQuery, Now: now}); err != nil {
		return err
	}
	return p.Receive(&p.result, st)
}

// Send gives the process a line without waiting for its answer.
func (p *Process) Send(op *ops.Op) (err error) {
	if p.child == nil {
		return errors.New("the subject does not run")
	}
	if p.line, err = op.AppendJSON(p.line[:0]); err != nil {
		return err
	}
	p.sent.add(p.line)
	p.due = append(p.due, op.Kind)
	p.out = append(append(p.out, p.line...), '\n')
	if len(p.out) < flushAt || p.stalled {
		return nil
	}
	rest, err := p.child.write(p.out)
	if err != nil {
		return p.broken(err)
	}
	// What the pipe does not take is sent while an answer is waited for.
	p.stalled = len(rest) > 0
	p.out = append(p.out[:0], rest...)
	return nil
}

// Receive waits for the next answer. One that says unsupported is learned, unless the machine has no such operation.
func (p *Process) Receive(res *ops.Result, st *ops.State) error {
	line, err := p.receiveLine()
	if err != nil {
		return err
	}
	kind := p.due[p.first]
	if err := ops.ParseAnswer(line, p.machine, kind, res, st); err != nil {
		return p.wrong(line, err)
	}
	p.answered()
	if res.Code == ops.Unsupported {
		p.lacks[kind] = p.lacks[kind] || kind.On(p.machine)
		if st != nil {
			st.Fields = 0
		}
	}
	return nil
}

// receiveLine is the line that answers the earliest one due.
func (p *Process) receiveLine() ([]byte, error) {
	if p.child == nil || p.first == len(p.due) {
		return nil, errors.New("no answer is due")
	}
	if line, ok := p.child.buffered(); ok {
		return line, nil
	}
	line, rest, err := p.child.readLine(p.out, time.Now().Add(p.wait()))
	p.stalled = len(rest) > 0
	p.out = append(p.out[:0], rest...)
	if err != nil {
		return nil, p.broken(err)
	}
	return line, nil
}

// wait is how long the next line may take. The first one includes the start of the process.
func (p *Process) wait() time.Duration {
	if !p.greeted {
		return p.deadline
	}
	return p.patience
}

// answered notes that the earliest line due was answered.
func (p *Process) answered() {
	p.greeted = true
	p.sent.done++
	p.first++
	if p.first == len(p.due) {
		p.due, p.first = p.due[:0], 0
	}
}

// forget reads the answers that are still due. A process that does not give them is ended: the next one owes none.
func (p *Process) forget() {
	for p.child != nil && p.first < len(p.due) {
		if _, err := p.receiveLine(); err == nil {
			p.answered()
		}
	}
	p.due, p.first = p.due[:0], 0
	p.sent.done, p.out = p.sent.sent, p.out[:0]
}

// broken ends the child, and is the trouble behind its error.
func (p *Process) broken(err error) error {
	switch {
	case errors.Is(err, errEnded):
		return p.trouble(Crash, "the subject ended ("+p.child.ending()+") and owes an answer")
	case errors.Is(err, errLate):
		message := fmt.Sprintf("the subject has not answered within %s", p.wait())
		if p.wait() < p.deadline {
			message += fmt.Sprintf(" (its deadline is %s; it gets less after a hang)", p.deadline)
		}
		return p.trouble(Hang, message)
	default:
		return p.trouble(Garbage, "the subject writes "+err.Error())
	}
}

// wrong is the trouble with a line that is no answer.
func (p *Process) wrong(line []byte, err error) error {
	switch quoted := clip(string(line), saidClip); {
	case errors.Is(err, ops.ErrSubject):
		t := p.describe(Error, err.Error())
		p.answered() // it goes on, by the protocol
		return t
	case !json.Valid(line):
		return p.trouble(Garbage, fmt.Sprintf("the subject writes something other than JSON: %q", quoted))
	default:
		return p.trouble(Answer, fmt.Sprintf("the subject answers %s: %v", quoted, err))
	}
}

func (p *Process) describe(k TroubleKind, message string) *Trouble {
	t := &Trouble{Kind: k, Message: message, Sent: p.sent.last(), Ahead: max(p.sent.due()-1, 0)}
	if p.child != nil {
		t.Said = p.child.words.String()
	}
	return t
}

// trouble ends the process: what it would say from now on answers nothing.
func (p *Process) trouble(k TroubleKind, message string) error {
	if p.child != nil {
		if k == Hang {
			p.lessPatience()
		}
		p.child.kill()
	}
	t := p.describe(k, message)
	p.child, p.greeted = nil, false
	return t
}

// lessPatience shortens the wait for lines after a hang, since shrinking a hang makes it happen again and again.
func (p *Process) lessPatience() {
	const least = time.Second
	p.patience = min(p.patience, max(p.deadline/10, least))
}

// Close ends the process and everything it started.
func (p *Process) Close() error {
	if p.child != nil {
		p.child.close()
		p.child = nil
	}
	return nil
}
