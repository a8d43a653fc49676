package ops

import (
	"fmt"
	"strings"
)

// appendText writes the configuration as the first line of a run: the machine and the fields that differ from their
// defaults or, if derived, from their derived values.
func (c *Config) appendText(dst []byte) []byte {
	dst = append(dst, c.Machine.String()...)
	plain := DefaultConfig(c.Machine)
	for pass := range 2 {
		for _, f := range c.Machine.fields() {
			if f.derived != (pass == 1) || f.text(c) == f.text(&plain) {
				continue
			}
			dst = append(append(append(append(dst, ' '), f.name...), '='), f.text(c)...)
		}
		plain.Scheduler = c.Scheduler
		plain.Scheduler.Derive()
	}
	return dst
}

// parseConfig reads a configuration as appendText writes it and validates it.
func parseConfig(words []string) (*Config, error) {
	c := DefaultConfig(Machine(indexOf(machineNames[:], words[0])))
	set := map[string]bool{}
	for pass := range 2 {
		for _, w := range words[1:] {
			name, value, _ := strings.Cut(w, "=")
			f := c.Machine.field(name)
			if f == nil {
				return nil, fmt.Errorf("unknown configuration field %q of the %s", clip(name), c.Machine)
			}
			if f.derived != (pass == 1) {
				continue
			}
			if set[name] {
				return nil, fmt.Errorf("%s is given twice", name)
			}
			set[name] = true
			if err := f.set(&c, value); err != nil {
				return nil, err
			}
		}
		if pass == 0 {
			c.Scheduler.Derive()
		}
	}
	return &c, c.Validate()
}

func (m Machine) field(name string) *configField {
	fields := m.fields()
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}
