package main

// planHeldOut plans the held-out set.
func planHeldOut() ([]plan, error) { return nil, nil }
