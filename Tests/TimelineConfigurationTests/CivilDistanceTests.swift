import Testing
import TimelineCore

@testable import TimelineConfiguration

@Suite struct `Distances of civil rules` {
  @Test(arguments: [
    ("2 weeks", 2, CivilRecurrence.Unit.weeks), ("1 day", 1, .days), ("12 months", 12, .months),
    ("1 years", 1, .years), ("0 days", 0, .days), ("99999 weeks", 99_999, .weeks),
    ("99999999999999999999 weeks", .max, .weeks),
  ])
  func `a distance is read`(text: String, every: Int, unit: CivilRecurrence.Unit) {
    let distance = CivilDistance.parse(text)
    #expect(distance?.every == every && distance?.unit == unit)
  }

  @Test(arguments: [
    "", "2", "2w", "2  weeks", " 2 weeks", "2 weeks ", "weeks", "-2 weeks", "+2 weeks", "2 Weeks", "2 hours",
    "1 week 2 days", "two weeks", "2\tweeks",
  ])
  func `another text is no distance`(text: String) {
    #expect(CivilDistance.parse(text) == nil)
  }

  @Test(arguments: [
    ("2w", "2 weeks"), ("weekly", "1 week"), ("every 2 wk", "2 weeks"), ("every other week", "2 weeks"),
    ("fortnightly", "2 weeks"), ("3 quarters", "9 months"), ("quarterly", "3 months"), ("14d", "14 days"),
    ("Yearly", "1 year"), ("2weeks", "2 weeks"),
  ])
  func `a distance in other words is recognized`(text: String, meant: String) {
    let distance = CivilDistance.resembling(text)
    #expect(distance.map { CivilRecurrence.interval($0.every, $0.unit) } == meant)
  }

  @Test(arguments: ["2h", "0 weeks", "500 quarters", "1w2d", "soon", "3m", "", "99999999999999999999 weeks"])
  func `a text that is no distance has no meaning`(text: String) {
    #expect(CivilDistance.resembling(text) == nil)
  }
}
