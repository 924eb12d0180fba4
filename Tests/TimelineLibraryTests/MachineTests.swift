import Testing
import TimelineClocks
import TimelineCore

@testable import TimelineMachine

@Suite struct MachineTests {
  @Test func `a zone is found by its name`() throws {
    let zone = try Zone(named: "Europe/Berlin")
    #expect(zone.name == "Europe/Berlin")
    #expect(zone.offset(at: try WallInstant(rfc3339: "2026-07-01T00:00:00Z")) == 7_200)
  }

  @Test(arguments: [
    ("Europe/Berlni", true, "time zone 'Europe/Berlni' in /usr/share/zoneinfo: no such file or directory: "),
    ("../etc/passwd", false, "time zone '../etc/passwd': invalid argument: write it like Europe/Berlin"),
    ("", false, "time zone '': invalid argument: write it like Europe/Berlin"),
    ("zone1970.tab", false, "time zone 'zone1970.tab': invalid argument: "),
    ("leapseconds", false, "the file of time zone leapseconds is not a compiled zone (TZif); "),
  ])
  func `a missing zone is refused with the reason`(name: String, isMissing: Bool, text: String) {
    do throws(MachineError) {
      Issue.record("\(try Zone(named: name)) was found")
    } catch {
      #expect(error.description.hasPrefix(text), "\(error)")
      #expect(error.isMissing == isMissing)
    }
  }

  @Test func `this machine has a zone of its own`() throws {
    #expect(try Zone.current == Zone(named: try Zone.current.name))
  }

  @Test(arguments: ["Europe/Berlni", "../etc/passwd", ":Nowhere"])
  func `a missing zone in the environment is an error`(_ variable: String) throws {
    let error = #expect(throws: MachineError.self) { try Zone.current(environment: ["TZ": variable]) }
    #expect(error?.description.hasPrefix("TZ: no such time zone: \"\(variable)\"") == true)
    #expect(try Zone.current(environment: ["TZ": "Asia/Tokyo"]).name == "Asia/Tokyo")
    #expect(try Zone.current(environment: ["TZ": ""]) == Zone.utc)
  }

  @Test func `the wall clock advances and sleeps until its instants`() async throws {
    let clock = try WallClock()
    let deadline = clock.now + .milliseconds(2)
    try await clock.sleep(until: deadline)
    #expect(clock.now >= deadline)
    try await clock.sleep(until: deadline)
    #expect(clock.minimumResolution == .nanoseconds(1))
  }

  @Test func `a sleep on the wall clock ends with its task`() async throws {
    let clock = try WallClock()
    let task = Task { try await clock.sleep(until: .max) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a schedule is played on the wall clock`() async throws {
    let clock = try WallClock()
    let start = clock.now
    for await context in clock.contexts(of: .periodic(from: start, by: .milliseconds(1))).prefix(3) {
      #expect(context.date <= clock.now)
      #expect((context.date - start).nanoseconds.isMultiple(of: 1_000_000))
    }
  }
}
