import TimelineCore
import TimelineEngineTestSupport
import TimelineTestSupport

/// Random schedules that move entries from a holiday, in a zone where the same time of two days lies ten minutes apart, so that moved
/// entries, their origins and reloads meet within a life.
enum SimulatedMoves {
  /// Seconds by which clocks are put forward: ten minutes less than a day.
  private static let gap: Int64 = 85_800
  private static let offsetBefore: Int64 = -43_200
  private static let distance: Int64 = 86_400 - gap

  /// A schedule whose entries after a change of the clocks move to the day before it, and some entries that do not move.
  static func schedule(_ dice: inout Dice, around: Int64) -> ScheduleRule {
    let change = around + dice.number(in: -200...500, "seconds to the change of the clocks")
    var instants: Set<Int64> = []
    for _ in 0..<dice.number(in: 1...6, "entries that move") {
      instants.insert(change + dice.number(in: 0...distance - 1, "seconds from the change to an entry"))
    }
    for _ in 0..<dice.number(in: 0...4, "entries that stay") {
      instants.insert(change - dice.number(in: 1...distance, "seconds from an entry to the change"))
    }
    let days = Set(instants.filter { $0 >= change }.map { ($0 + offsetBefore + gap) / 86_400 })
    let holidays = days.sorted().compactMap { CivilDate(daysSinceEpoch: Int($0)) }
    do {
      var conditions = ComposedSchedule.Conditions()
      conditions.except = [CivilWindow(holidays: HolidayList(name: "company", dates: holidays))]
      conditions.move = try EntryMove(.before)
      let rule = ScheduleRule.explicit(try ExplicitSchedule(instants.sorted().map(t)))
      return .composed(try ComposedSchedule([rule], conditions: conditions, zone: zone(changingAt: change)))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns the schedule without its holidays: each entry lies where the rule has it.
  static func withoutHolidays(_ schedule: ScheduleRule) -> ScheduleRule {
    var instants: Set<WallInstant> = []
    var last = WallInstant.min
    while let entry = schedule.next(after: last) {
      let origins = schedule.origins(of: entry)
      instants.formUnion(origins.isEmpty ? [entry] : origins)
      last = entry
    }
    do { return .explicit(try ExplicitSchedule(instants.sorted())) } catch { preconditionFailure("\(error)") }
  }

  /// A zone whose clocks are put forward once, as a file of version 1 (RFC 8536).
  private static func zone(changingAt second: Int64) throws -> Zone {
    func bytes(_ number: Int64) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    let counts: [Int64] = [0, 0, 0, 1, 2, 4]
    let file =
      Array("TZif".utf8) + [UInt8](repeating: 0, count: 16) + counts.flatMap(bytes) + bytes(second) + [1]
      + bytes(offsetBefore) + [0, 0] + bytes(offsetBefore + gap) + [0, 0] + Array("LMT".utf8) + [0]
    return try Zone(name: "Simulated/\(second)", tzif: file)
  }
}
