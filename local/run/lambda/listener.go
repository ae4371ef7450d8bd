package lambda

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"regexp"
	"sync"
)

// LenientListener is a listener with connections that accept a "%" that begins no
// escape in their first request line, as in /a/%zz. Go's server would refuse such a
// request by itself; here the stray sign is escaped, and the API responds as to any
// unknown path. Later requests on a connection are left alone: clients that send such
// paths rarely reuse connections.
type LenientListener struct{ net.Listener }

// Accept returns a connection that escapes its first line when it is first read.
func (l LenientListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lenientConn{Conn: conn}, nil
}

type lenientConn struct {
	net.Conn
	once sync.Once
	from io.Reader
}

// Read waits, the first time, for the whole request line, or for the first MaxHead bytes
// of it.
func (m *lenientConn) Read(p []byte) (int, error) {
	m.once.Do(func() {
		buffered := bufio.NewReaderSize(m.Conn, MaxHead)
		line, err := buffered.ReadSlice('\n')
		escaped := sign.ReplaceAllFunc(line, func(found []byte) []byte {
			if len(found) == 1 {
				return []byte("%25")
			}
			return found
		})
		m.from = io.MultiReader(bytes.NewReader(escaped), buffered)
		if err != nil && len(line) == 0 {
			m.from = m.Conn // reading it returns the error again
		}
	})
	return m.from.Read(p)
}

// sign is a "%" with the escape that it begins, if it begins one.
var sign = regexp.MustCompile(`%(?:[0-9A-Fa-f]{2})?`)
