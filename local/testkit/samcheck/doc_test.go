// Package samcheck compares the functions that SAM runs in containers with the local system (.ci/sam).
package samcheck
