package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// ruleSyntax turns the operators of a composite alarm's rule into Go's.
var ruleSyntax = strings.NewReplacer(" AND ", " && ", " OR ", " || ", "NOT ", "!", "NOT(", "!(")

// compositeStates returns the states of a composite alarm, which is OK or in alarm.
func (a *alarmSet) compositeStates(id string, data metricData) ([]alarmState, error) {
	rule := flatten(a.byID[id].AlarmRule)
	tree, err := parser.ParseExpr(ruleSyntax.Replace(rule))
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", id, rule, err)
	}
	parts := map[string][]alarmState{}
	if err := a.findParts(tree, data, parts); err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	minutes := 0
	for _, states := range parts {
		minutes = max(minutes, len(states))
	}
	out := make([]alarmState, minutes)
	for at := range out {
		out[at] = isOK
		if holds(tree, parts, at) {
			out[at] = inAlarm
		}
	}
	return out, nil
}

// findParts adds the states of every alarm in a rule, by the text that names it there.
func (a *alarmSet) findParts(tree ast.Expr, data metricData, parts map[string][]alarmState) error {
	switch node := tree.(type) {
	case *ast.ParenExpr:
		return a.findParts(node.X, data, parts)
	case *ast.UnaryExpr:
		return a.findParts(node.X, data, parts)
	case *ast.BinaryExpr:
		if err := a.findParts(node.X, data, parts); err != nil {
			return err
		}
		return a.findParts(node.Y, data, parts)
	}
	_, name, ok := stateCall(tree)
	if !ok {
		return fmt.Errorf("no %T is known in a rule", tree)
	}
	for _, id := range a.ids() {
		if name != "${"+id+".Arn}" && name != "${"+id+"}" && name != a.name(id) {
			continue
		}
		states, err := a.states(id, data)
		parts[name] = states
		return err
	}
	return fmt.Errorf("the rule names %s, which is no alarm of the template", name)
}

// holds reports whether a rule holds after a minute.
func holds(tree ast.Expr, parts map[string][]alarmState, at int) bool {
	switch node := tree.(type) {
	case *ast.ParenExpr:
		return holds(node.X, parts, at)
	case *ast.UnaryExpr:
		return !holds(node.X, parts, at)
	case *ast.BinaryExpr:
		if node.Op == token.LAND {
			return holds(node.X, parts, at) && holds(node.Y, parts, at)
		}
		return holds(node.X, parts, at) || holds(node.Y, parts, at)
	}
	state, name, _ := stateCall(tree)
	return at < len(parts[name]) && parts[name][at] == state
}

// stateCall returns the parts of STATE("name").
func stateCall(tree ast.Expr) (state alarmState, name string, ok bool) {
	call, ok := tree.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", "", false
	}
	function, ok := call.Fun.(*ast.Ident)
	literal, isText := call.Args[0].(*ast.BasicLit)
	if !ok || !isText {
		return "", "", false
	}
	name, err := strconv.Unquote(literal.Value)
	return alarmState(function.Name), name, err == nil
}
