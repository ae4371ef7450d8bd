package main

type pairsCommand struct{}

func (pairsCommand) Run() error { return nil }
