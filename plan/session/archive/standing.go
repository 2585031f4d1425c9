package archive

import "planmode/store"

// mostRead bounds the log that is read whole for a list.
const mostRead = 16 << 20

// Standing reads a session whole to say how its plan stands, when the ends of its
// log did not. One that is too long or cannot be read stays unsure.
func Standing(s *store.Store, info store.SessionInfo) store.Standing {
	if info.Size > mostRead {
		return info.Standing
	}
	log, err := s.ReadLog(info.Path)
	if err != nil {
		return info.Standing
	}
	defer log.Close() // it was only read
	return store.StandingOf(log.Tree().Current())
}
