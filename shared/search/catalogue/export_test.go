package catalogue

import "context"

// ReadLate reads the states of roles, for the returned function to write them later.
func (r *Remote) ReadLate(ctx context.Context, ids []string) (write func() error, err error) {
	states, err := r.readStates(ctx, ids)
	if err != nil {
		return nil, err
	}
	writer, err := r.domain.Writer(ctx)
	return func() error { return writer.Write(ctx, states) }, err
}

// SetPartSize sets how many roles a fill writes before it notes its progress.
func (r *Remote) SetPartSize(roles int) { r.partSize = roles }
