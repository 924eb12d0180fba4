import Testing
import TimelineCore

/// A walk and a search must agree wherever a change of the clocks makes the walk ask the search.
@Suite struct `Walking a cron rule` {
  static let rules = [
    "*/5 9-17 * * 1-5", "30 2 * * *", "0 0 * * *", "*/20 * * * * *", "15,45 23 31 * *", "0 0 29 2 *",
    "0 12 L * *",
    "0 3 1-7 * 0", "59 23 31 12 *", "0 0 * * 5#2",
  ]
  static let zones = [
    "UTC", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca",
  ]
  static let policies = [
    DaylightSavingPolicy(), DaylightSavingPolicy(gap: .shift, fold: .second),
    DaylightSavingPolicy(gap: .skip, fold: .both),
  ]

  @Test(arguments: rules, zones)
  func `every step agrees with a search`(_ rule: String, _ zoneName: String) throws {
    let expression = try CronExpression(parsing: rule)
    let zone = try ZoneFiles.zone(zoneName)
    for policy in Self.policies {
      let schedule = CronSchedule(expression: expression, zone: zone, daylightSaving: policy)
      // Samoa's missing day, then a year of today's rules, and the end of time.
      for start in ["2011-12-01T00:00:00Z", "2027-01-01T00:00:00Z", "2262-03-01T00:00:00Z"] {
        var expected = schedule.latest(atOrBefore: try WallInstant(rfc3339: start))
        for entry in schedule.entries(from: try WallInstant(rfc3339: start), mode: .normal).prefix(3_000) {
          #expect(entry == expected, "\(rule) in \(zoneName), \(policy)")
          guard entry == expected else { return }
          expected = schedule.next(after: entry)
        }
      }
    }
  }
}
