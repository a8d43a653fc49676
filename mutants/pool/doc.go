// Package pool starts and talks to the worker processes of a mutation campaign, and notices how they die.
package pool
