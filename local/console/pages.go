package console

import (
	"errors"
	"io/fs"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// servePage serves the page with its policy.
func (c *Console) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = pageTemplate.Execute(w, map[string]string{"Token": c.token}) // the client may have gone
}

// serveAsset serves a file of the console's pages.
func (c *Console) serveAsset(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, pageFiles, "page/"+r.PathValue("file"))
}

// answer returns a handler that answers in JSON: with the result of do, or its error.
func answer(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		value, err := do(r)
		status := http.StatusOK
		if err != nil {
			status, value = describeError(err)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.MarshalWrite(w, value, json.Deterministic(true)) // the client may have gone
	}
}

// answerTo is [answer] for a request with a body in JSON.
func answerTo[T any](do func(*http.Request, T) (any, error)) http.HandlerFunc {
	return answer(func(r *http.Request) (any, error) {
		in, err := decode[T](r)
		if err != nil {
			return nil, err
		}
		return do(r, in)
	})
}

// problem is the body of an error.
type problem struct {
	Message string `json:"message"`
}

// describeError returns the status and the body of an error. The developer sees its cause.
func describeError(err error) (int, problem) {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge, problem{"The file is too large."}
	}
	if errors.Is(err, fs.ErrInvalid) {
		return http.StatusBadRequest, problem{"The request body is not valid for this console."}
	}
	e := fault.As(err)
	text := e.Message
	for _, problems := range e.Fields {
		for _, p := range problems {
			text += " " + p
		}
	}
	if e.Kind == fault.Internal {
		text = err.Error()
	}
	return e.Kind.Category().Status, problem{text}
}

// decode reads the body of a request.
func decode[T any](r *http.Request) (in T, err error) {
	err = json.UnmarshalRead(r.Body, &in)
	var tooLarge *http.MaxBytesError
	if err != nil && !errors.As(err, &tooLarge) {
		err = fs.ErrInvalid
	}
	return in, err
}
