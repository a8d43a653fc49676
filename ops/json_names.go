package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Field names are exact, and given once. encoding/json takes "Now" for "now", and silently the last of two, so each line that
// it has read is scanned once more for its names alone.

// nameTree says what the names within a value must be. It is nil for a value without names, or an ignored one.
type nameTree struct {
	fields map[string]*nameTree // of an object with fields
	each   *nameTree            // of the elements of a list, or of the entries of a map
	names  bool                 // the names are those of a map: any, but each once
}

var lineNames = func() *nameTree {
	t := namesOf(reflect.TypeFor[jsonLine]())
	config := &nameTree{fields: map[string]*nameTree{}}
	for _, f := range append(schedulerFields[:len(schedulerFields):len(schedulerFields)], responderFields...) {
		config.fields[f.name] = nil
	}
	t.fields["config"] = config
	return t
}()

func namesOf(t reflect.Type) *nameTree {
	switch t.Kind() {
	case reflect.Pointer:
		return namesOf(t.Elem())
	case reflect.Slice:
		return &nameTree{each: namesOf(t.Elem())}
	case reflect.Map:
		return &nameTree{each: namesOf(t.Elem()), names: true}
	case reflect.Struct:
		if t == reflect.TypeFor[jsonPlace]() {
			return nil
		}
	default:
		return nil
	}
	if t == reflect.TypeFor[jsonRef]() {
		t = reflect.TypeFor[jsonPast]()
	}
	tree := &nameTree{fields: map[string]*nameTree{}}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		tree.fields[name] = namesOf(t.Field(i).Type)
	}
	return tree
}

// nameChecker goes through a line that is known to be JSON.
type nameChecker struct {
	line    []byte
	at      int // in line
	frames  []nameFrame
	seen    [][]byte // the names so far of every open object, innermost last
	unknown []string // the first unknown names, if they are wanted
	want    bool
}

// nameFrame is an open object or list.
type nameFrame struct {
	tree    *nameTree
	object  bool
	first   int                 // of its names in seen
	value   *nameTree           // of the value that comes next
	many    map[string]struct{} // its names, where there are many that do not ascend
	ordered bool                // its names have ascended so far
}

const (
	maxUnknown = 8  // names that are kept for a report
	fewNames   = 64 // names of one object that are compared one by one
)

// checkNames reports a name that the line gives twice in one object, or that differs from a field's only in case; and a null
// in a list. It does not look inside unknown fields.
func (c *nameChecker) checkNames(line []byte) error {
	c.line, c.at, c.frames, c.seen, c.unknown = line, 0, c.frames[:0], c.seen[:0], c.unknown[:0]
	for c.at < len(line) {
		b := line[c.at]
		c.at++
		switch b {
		case '{', '[':
			c.frames = append(c.frames, nameFrame{tree: c.inside(), object: b == '{', first: len(c.seen), ordered: true})
		case '}', ']':
			c.seen = c.seen[:c.top().first]
			c.frames = c.frames[:len(c.frames)-1]
		case '"':
			raw := c.text()
			if f := c.top(); f != nil && f.object && c.isName() {
				if err := c.name(f, raw); err != nil {
					return err
				}
			}
		case 'n': // of a null
			if f := c.top(); f != nil && !f.object && f.tree != nil {
				return errors.New("null in a list")
			}
		}
	}
	return nil
}

func (c *nameChecker) top() *nameFrame {
	if len(c.frames) == 0 {
		return nil
	}
	return &c.frames[len(c.frames)-1]
}

// inside says what names must be within the value that begins.
func (c *nameChecker) inside() *nameTree {
	switch f := c.top(); {
	case f == nil:
		return lineNames
	case f.tree == nil:
		return nil
	case f.object:
		return f.value
	default:
		return f.tree.each
	}
}

// text takes the rest of a string, its closing quote included, and returns what is between the quotes.
func (c *nameChecker) text() []byte {
	start := c.at
	for {
		end := c.at + bytes.IndexByte(c.line[c.at:], '"')
		c.at = end + 1
		escapes := 0
		for end-escapes > start && c.line[end-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return c.line[start:end]
		}
	}
}

// isName reports whether the string that was just taken is a name: a colon follows it.
func (c *nameChecker) isName() bool {
	for i := c.at; i < len(c.line); i++ {
		switch c.line[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return c.line[i] == ':'
		}
	}
	return false
}

func (c *nameChecker) name(f *nameFrame, raw []byte) error {
	f.value = nil
	if f.tree == nil {
		return nil // within an unknown field
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		var s string
		if err := json.Unmarshal([]byte(`"`+string(raw)+`"`), &s); err != nil {
			return err
		}
		raw = []byte(s)
	}
	if c.twice(f, raw) {
		return fmt.Errorf("field %q is given twice", clip(string(raw)))
	}
	if f.tree.names {
		f.value = f.tree.each
		return nil
	}
	value, known := f.tree.fields[string(raw)]
	if !known {
		return c.stranger(f, string(raw))
	}
	f.value = value
	return nil
}

// twice notes a name, and reports whether its object has it already. Ascending names, as maps are written, cost one comparison
// each; others are compared one by one while few, looked up when many.
func (c *nameChecker) twice(f *nameFrame, name []byte) bool {
	names := c.seen[f.first:]
	c.seen = append(c.seen, name)
	if n := len(names); f.ordered && (n == 0 || bytes.Compare(names[n-1], name) < 0) {
		return false
	}
	f.ordered = false
	if len(names) < fewNames {
		for _, other := range names {
			if bytes.Equal(other, name) {
				return true
			}
		}
		return false
	}
	if f.many == nil {
		f.many = make(map[string]struct{}, 2*len(names))
		for _, other := range names {
			f.many[string(other)] = struct{}{}
		}
	}
	_, has := f.many[string(name)]
	f.many[string(name)] = struct{}{}
	return has
}

// stranger ignores a name that no field has, but refuses one that differs from a field's only in case.
func (c *nameChecker) stranger(f *nameFrame, name string) error {
	for field := range f.tree.fields {
		if strings.EqualFold(field, name) {
			return fmt.Errorf("field %q: names are exact, want %q", clip(name), field)
		}
	}
	if c.want && len(c.unknown) < maxUnknown {
		c.unknown = append(c.unknown, clip(name))
	}
	return nil
}
