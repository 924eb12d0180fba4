import Testing
import TimelineConfiguration
import TimelineCore

/// Jobs that fall due together are reported: each that is due at that instant and no other.
@Suite struct `A crowd at one instant` {
  /// Messages about `count` jobs for each of `schedules`, all with `rest`, under `head`.
  private func warning(
    _ schedules: [(String, count: Int)], rest: String = "", head: String = ""
  ) throws -> [String] {
    var text = head
    for (index, (schedule, count)) in schedules.enumerated() {
      for number in 0..<count {
        text += "[job.j\(index)-\(number)]\nplugin = 'log'\nschedule = \(schedule)\n\(rest)\n"
      }
    }
    let source = ConfigurationSource(path: "t.toml", bytes: Array(text.utf8))
    return try Configuration.read([source], in: .golden).get().warnings.map(\.message)
  }

  @Test func `counts those that come too often to have been followed so far`() throws {
    // Each is followed for a hundred entries: the minutes for less than two hours.
    let said = try warning([("{ cron = '0 20 * * *' }", 11), ("'every-minute'", 2)])
    #expect(
      said == [
        "13 jobs fall due at one instant, such as 2026-06-01T20:00:00Z: `j0-0`, `j0-1`, `j0-2`, `j0-3`, `j0-4` and 8 more"
      ])
  }

  @Test func `counts no job that is due beside it`() throws {
    let said = try warning([
      ("{ cron = '0 20 * * *' }", 11), ("{ cron = '1 20 * * *' }", 9), ("{ cron = '*/7 * * * *' }", 1),
    ])
    #expect(said.count == 1)
    #expect(said.first?.hasPrefix("12 jobs fall due at one instant, such as 2026-06-01T20:00:00Z:") == true)
  }

  @Test func `is the first of the largest`() throws {
    let said = try warning([
      ("{ cron = '0 3 * * *' }", 11), ("{ cron = '0 5,7 * * *' }", 12), ("{ cron = '0 9 * * *' }", 12),
    ])
    #expect(said.first?.hasPrefix("12 jobs fall due at one instant, such as 2026-06-01T05:00:00Z:") == true)
  }

  @Test(arguments: [(10, 0), (11, 1)]) func `is no crowd where a group lets few run at a time`(
    _ limit: Int, _ count: Int
  ) throws {
    let said = try warning(
      [("{ cron = '0 20 * * *' }", 20)], rest: "groups = ['g']", head: "[group.g]\nlimit = \(limit)\n")
    #expect(said.count == count)
  }

  @Test func `is no crowd of ten`() throws {
    #expect(try warning([("{ cron = '0 20 * * *' }", 10)]).isEmpty)
  }
}
