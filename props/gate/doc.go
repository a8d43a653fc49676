// Package gate is what the command does about rules and scenarios: check, replay, shrink, explore, convert and rules, each a
// function that prints for people or for machines and says whether everything held.
package gate
