package cloud

import "log"

// Must returns a function's service, for its main: the error of a service that cannot be
// opened ends the process. It has to stay small enough to be inlined; otherwise the
// linker keeps every method of the type (0.7 MB of ingest).
func Must[Service any](service Service, err error) Service {
	if err != nil {
		log.Fatal(err)
	}
	return service
}
