package wire

// The capability trailer: four bytes that name it and a byte of flags (WIR-3).
const (
	trailerMagic = "antf"
	trailerSize  = len(trailerMagic) + 1

	// flagBusy: the sender understands Busy. The other bits are ignored, and
	// never set.
	flagBusy = 1 << 0
)

// asksBusy reads what follows a request. Only exactly one whole trailer counts:
// any other tail is ignored, as a decoder from before the change ignores every
// tail (WIR-3, WIR-4).
func asksBusy(tail []byte) bool {
	return len(tail) == trailerSize &&
		string(tail[:len(trailerMagic)]) == trailerMagic &&
		tail[len(trailerMagic)]&flagBusy != 0
}

func appendTrailer(dst []byte) []byte {
	return append(append(dst, trailerMagic...), flagBusy)
}
