package main

import (
	"fmt"
	"go/ast"
	"math"
	"slices"
)

func evaluateCall(node *ast.CallExpr, points map[string]float64) (float64, error) {
	name, _ := node.Fun.(*ast.Ident)
	switch {
	case name == nil:
		return 0, fmt.Errorf("no function %v is known", node.Fun)
	case name.Name == "IF" && len(node.Args) == 3:
		return evaluateIf(node.Args, points)
	case name.Name == "FILL" && len(node.Args) == 2:
		value, err := evaluate(node.Args[0], points)
		if err != nil || !math.IsNaN(value) {
			return value, err
		}
		return evaluate(node.Args[1], points)
	case len(node.Args) == 1 && isMetrics(node.Args[0]):
		return aggregate(name.Name, points)
	}
	return 0, fmt.Errorf("no function %s with such arguments is known", name.Name)
}

func evaluateIf(arguments []ast.Expr, points map[string]float64) (float64, error) {
	condition, err := evaluate(arguments[0], points)
	switch {
	case err != nil || math.IsNaN(condition):
		return math.NaN(), err
	case condition != 0:
		return evaluate(arguments[1], points)
	}
	return evaluate(arguments[2], points)
}

func isMetrics(tree ast.Expr) bool {
	call, ok := tree.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "METRICS"
}

// aggregate returns the sum, or another aggregate, of the metrics that have data.
func aggregate(name string, points map[string]float64) (float64, error) {
	var present []float64
	for _, p := range points {
		if !math.IsNaN(p) {
			present = append(present, p)
		}
	}
	if len(present) == 0 {
		return math.NaN(), nil
	}
	switch name {
	case "SUM":
		return sum(present), nil
	case "MAX":
		return slices.Max(present), nil
	case "MIN":
		return slices.Min(present), nil
	}
	return 0, fmt.Errorf("no function %s of METRICS() is known", name)
}
