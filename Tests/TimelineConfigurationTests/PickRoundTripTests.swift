import Testing
import TimelineConfiguration
import TimelineCore
import TimelineTestSupport

@Suite struct `Picks in a configuration` {
  static let seed: UInt64 = 0x5EED_91CF

  private func read(_ picks: [String]) throws -> [EntryPick?] {
    let jobs = picks.enumerated().map { index, pick in
      """
      [job.j\(index)]
      plugin = "exec"
      schedule = { any = ["every-minute"], only = ["08:00-08:20"], pick = \(pick) }

      """
    }
    let source = ConfigurationSource(path: "t.toml", bytes: Array(jobs.joined().utf8))
    return try Configuration.read([source], in: .golden).get().jobs.map {
      if case .composed(let schedule) = $0.schedule { schedule.conditions.pick } else { nil }
    }
  }

  @Test func `moves are read as they were printed`() throws {
    let moves = try EntryMove.Direction.allCases.flatMap { direction in
      try EntryMove.days.flatMap { dayMax in
        try [false, true].map { try EntryMove(direction, dayMax: dayMax, isWithinMonth: $0) }
      }
    }
    let jobs = moves.enumerated().map { index, move in
      let within = move.isWithinMonth ? ", move-within = \"month\"" : ""
      return """
        [job.j\(index)]
        plugin = "exec"
        schedule = { cron = "@daily", except = ["Sat,Sun"], on-excluded = "\(move.direction.rawValue)", move-max = "\(move.dayMax)d"\(within) }

        """
    }
    let source = ConfigurationSource(path: "t.toml", bytes: Array(jobs.joined().utf8))
    let read = try Configuration.read([source], in: .golden).get().jobs.map { job -> EntryMove? in
      if case .composed(let schedule) = job.schedule { schedule.conditions.move } else { nil }
    }
    #expect(read == moves)
  }

  /// A pick as a configuration has it.
  private func text(_ pick: EntryPick) -> String {
    let weekStart = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][pick.weekStart.rawValue - 1]
    let week = pick.period == .week ? ", week-starts = \"\(weekStart)\"" : ""
    return "{ per = \"\(pick.period.rawValue)\", nth = \(pick.positions)\(week) }"
  }

  @Test func `random picks are read as they were printed`() throws {
    var random = SeededGenerator(seed: Self.seed)
    let picks = try (0..<200).map { _ in
      let period = EntryPick.Period.allCases.randomElement(using: &random) ?? .day
      // The window lets 20 entries of a day through.
      let positions = Set(
        (0..<Int.random(in: 1...32, using: &random)).map { _ in
          Int.random(in: 1...20, using: &random) * (Bool.random(using: &random) ? 1 : -1)
        })
      return try EntryPick(
        positions.shuffled(using: &random), per: period,
        weekStart: Weekday.allCases.randomElement(using: &random) ?? .monday)
    }
    #expect(try read(picks.map(text)) == picks)
  }
}
