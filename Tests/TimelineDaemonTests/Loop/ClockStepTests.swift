import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

@Suite struct `A daemon whose clock is stepped` {
  @Test func `follows an offset file, runs an entry that a step jumped over once, and no entry twice`() throws
  {
    let workshop = try Workshop()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    let now = SystemTime.now()
    try workshop.configure(
      """
      [job.dates]
      plugin = "steady"
      schedule = { explicit = [\(now + .hours(1)), \(now + .hours(2)), \(now + .hours(50))] }
      """)
    let path = try workshop.write("0s\n", to: "offset")
    let daemon = try DaemonProcess(workshop, arguments: ["--clock-offset-file", path])
    try daemon.begin()

    // Before any entry, over two entries, back before both, and forward over both again.
    for (offset, step) in [("1s", "+1.00s"), ("3h", "+2h59m59s"), ("-1h", "-4h"), ("3h", "+4h")] {
      let start = daemon.lines.count
      try workshop.write(offset, to: "offset")
      try daemon.child.signal(.user2)
      try daemon.line(containing: "the system clock moved", step, after: start)
      if offset == "3h" { try daemon.wait(for: "the entries") { daemon.settled("dates").count >= 2 } }
    }
    let start = daemon.lines.count
    try workshop.write("never", to: "offset")
    try daemon.child.signal(.user2)
    try daemon.line(containing: path, "the clock stands where it stood", after: start)
    #expect(
      daemon.settled("dates").map(\.outcome).sorted() == ["missed", "succeeded"], "\(daemon.lines)")
    let status = try daemon.status()
    #expect(status.uptimeNanoseconds < ElapsedTime.minutes(30).nanoseconds, "no step is time that passed")
    let shown = status.now.instant
    #expect(abs((shown - (SystemTime.now() + .hours(3))).nanoseconds) < ElapsedTime.minutes(1).nanoseconds)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `is not ended by a signal that it does not use`() throws {
    let workshop = try Workshop()
    try workshop.configure("")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    for signal in [.user1, .user2] + Signal.meaningless { try daemon.child.signal(signal) }
    #expect(try daemon.status().jobCount == 0)
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `does not start with an invalid offset file, nor with two clocks`() throws {
    let workshop = try Workshop()
    try workshop.configure("")
    let path = try workshop.write("an hour", to: "offset")
    let daemon = try DaemonProcess(workshop, arguments: ["--clock-offset-file", path])
    #expect(try daemon.finish() == .exited(70))
    #expect(daemon.errors.contains(path) && daemon.errors.contains("length of time"), "\(daemon.errors)")
    let torn = try DaemonProcess(
      workshop, arguments: ["--clock", "scaled:60", "--clock-offset-file", path])
    #expect(try torn.finish() == .exited(64))
  }
}
