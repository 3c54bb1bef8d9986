// Pview shows what a parallel program did, puts numbers on it, and asks what it
// would do on another machine.
package main

func main() {}
