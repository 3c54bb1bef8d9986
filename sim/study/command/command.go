// Package command runs the commands of studies: solvers, and the programs of Slurm.
package command
