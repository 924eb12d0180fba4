import TimelineClocks
import TimelineCore
import TimelineMachine

// `swift run timeline-examples countdown`, or `clock` until it is interrupted, on the wall clock of this machine.
let clock = try WallClock()
switch CommandLine.arguments.dropFirst().first {
case "countdown": await countdown(from: 10, on: clock) { print($0) }
case "clock": await clockFace(in: try Zone.current, on: clock) { print($0) }
default: print("usage: timeline-examples countdown|clock")
}
