package gate

import "io"

// Rules prints the traceability table.
func Rules(w io.Writer, asJSON bool) (bool, error) { return false, nil }
