package fault

import (
	"errors"
	"fmt"
)

// Wrap puts the name of an operation, with the kinds of ids that it takes but not their values,
// before an internal error. Methods of stores defer it, so that the cause in the log reads from
// the operation down to the table:
//
//	func (s *Store) Agency(ctx context.Context, id string) (_ Agency, err error) {
//		defer fault.Wrap(&err, "account.Agency(id)")
//
// It leaves nil and an [Error], which has its caller's message, as they are. [errors.Is] and
// [errors.As] see through it.
func Wrap(err *error, operation string) {
	_, public := errors.AsType[*Error](*err)
	if *err != nil && !public {
		*err = fmt.Errorf("%s: %w", operation, *err)
	}
}
