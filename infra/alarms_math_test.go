package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"slices"
	"strconv"
)

// value returns the alarm's data point for the minutes [from, to) of the series: its single
// metric, or the row of Metrics that returns data. NaN is missing.
func (a alarm) value(series map[string]series, from, to int) (float64, error) {
	points := map[string]float64{}
	result := ""
	rows := a.queries()
	for _, q := range rows {
		if q.ReturnData == nil || *q.ReturnData {
			result = q.ID
		}
		if q.MetricStat == nil {
			continue
		}
		s := series[q.ID]
		values := slices.Concat(s[min(from, len(s)):min(to, len(s))]...)
		point, err := summarize(q.MetricStat.Stat, values)
		if err != nil {
			return 0, err
		}
		points[q.ID] = point
	}
	for _, q := range rows {
		if q.ID == result && q.Expression != "" {
			return calculate(q.Expression, points)
		}
	}
	return points[result], nil
}

// calculate returns the value of metric math for one period. Metric math has the syntax of Go's
// expressions as far as this package knows it.
func calculate(expression string, points map[string]float64) (float64, error) {
	tree, err := parser.ParseExpr(expression)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", expression, err)
	}
	value, err := evaluate(tree, points)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", expression, err)
	}
	return value, nil
}

func evaluate(tree ast.Expr, points map[string]float64) (float64, error) {
	switch node := tree.(type) {
	case *ast.BasicLit:
		return strconv.ParseFloat(node.Value, 64)
	case *ast.Ident:
		if point, found := points[node.Name]; found {
			return point, nil
		}
		return 0, fmt.Errorf("no metric %s", node.Name)
	case *ast.ParenExpr:
		return evaluate(node.X, points)
	case *ast.BinaryExpr:
		return evaluateOperator(node, points)
	case *ast.CallExpr:
		return evaluateCall(node, points)
	}
	return 0, fmt.Errorf("no %T is known", tree)
}

// evaluateOperator returns a missing value if either operand is missing, or for a division by zero.
func evaluateOperator(node *ast.BinaryExpr, points map[string]float64) (float64, error) {
	x, err := evaluate(node.X, points)
	if err != nil {
		return 0, err
	}
	y, err := evaluate(node.Y, points)
	if err != nil || math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN(), err
	}
	number := map[bool]float64{true: 1}
	switch node.Op {
	case token.ADD:
		return x + y, nil
	case token.SUB:
		return x - y, nil
	case token.MUL:
		return x * y, nil
	case token.QUO:
		if y == 0 {
			return math.NaN(), nil
		}
		return x / y, nil
	case token.GTR:
		return number[x > y], nil
	case token.GEQ:
		return number[x >= y], nil
	case token.LSS:
		return number[x < y], nil
	case token.LEQ:
		return number[x <= y], nil
	}
	return 0, fmt.Errorf("no operator %s is known", node.Op)
}
