import Foundation
import Testing
import TimelineConfiguration
import TimelineCore
import TimelineTestSupport

/// Schedules that were asked for in public, and the entries that Python's dateutil has for them in naive local time.
///
/// TIMELINED_DATEUTIL names a Python that has it; without, the Python of the machine is asked whether it has.
@Suite struct `Schedules of public requests` {
  static let python = ProcessInfo.processInfo.environment["TIMELINED_DATEUTIL"] ?? "/usr/bin/python3"
  static let isInstalled = output(of: python, ["-c", "import dateutil.rrule"], input: "") != nil
  static let years = 2_026..<2_046

  /// Reads the holidays, then an expression in each line; prints the seconds of its entries in the years that are compared.
  static let script = """
    import sys
    from datetime import date, datetime, timedelta
    from itertools import groupby
    from dateutil.rrule import rrulestr
    EPOCH, BEGIN, END = datetime(1970, 1, 1), datetime(\(years.lowerBound), 1, 1), datetime(\(years.upperBound), 1, 1)
    national = {date.fromisoformat(day) for day in sys.stdin.readline().split()}

    def rule(text, start):
        return rrulestr("FREQ=" + text, dtstart=datetime.fromisoformat(start)).between(datetime.min, END)

    def working(start):
        return [t for t in rule("WEEKLY;BYDAY=MO,TU,WE,TH,FR", start) if t.date() not in national]

    def nth(times, period, *positions):
        groups = [list(group) for _, group in groupby(times, period)]
        return [g[p - 1 if p > 0 else p] for g in groups for p in positions if abs(p) <= len(g)]

    def week(t): return t.isocalendar()[:2]
    def month(t): return t.year, t.month
    def quarter(t): return t.year, (t.month - 1) // 3

    for line in sys.stdin:
        found = sorted({t for t in eval(line) if BEGIN <= t < END})
        print(*((t - EPOCH) // timedelta(seconds=1) for t in found))
    """

  /// The same days in each year, as many as one list of holidays has.
  static let holidays = years.flatMap { year in
    ["01-01", "05-01", "10-03", "12-24", "12-25", "12-26", "12-31"].map { "\(year)-\($0)" }
  }

  /// The schedules in a configuration. Intervals of elapsed time are compared in UTC, where they are those of clocks.
  static func read(_ requests: [RequestedSchedule]) throws -> [(rule: ScheduleRule, zone: Zone)] {
    let jobs = requests.enumerated().map { index, request in
      let zone = request.schedule.contains("MINUTELY") ? "UTC" : "Europe/Berlin"
      return "[job.j\(index)]\nplugin = \"exec\"\ntime-zone = \"\(zone)\"\nschedule = \(request.schedule)\n"
    }
    let list = "[holidays.national]\ndates = [\(holidays.joined(separator: ", "))]\n"
    let source = ConfigurationSource(path: "t.toml", bytes: Array((list + jobs.joined()).utf8))
    return try Configuration.read([source], in: .golden).get().jobs.map { ($0.schedule, $0.zone) }
  }

  /// The local seconds of the entries in the years that are compared.
  static func entries(of rule: ScheduleRule, in zone: Zone) throws -> [Int] {
    let end = try WallInstant(rfc3339: "\(years.upperBound)-01-02T00:00:00Z")
    var instant = try WallInstant(rfc3339: "\(years.lowerBound - 1)-12-30T00:00:00Z")
    var found: [Int] = []
    while let next = rule.next(after: instant), next < end {
      let local = zone.civil(at: next)
      if years.contains(local.date.year) {
        found.append(local.date.daysSinceEpoch * 86_400 + local.time.secondOfDay)
      }
      instant = next
    }
    return found
  }

  /// A local time, written as one of UTC.
  static func text(_ seconds: Int) -> String { "\(WallInstant(secondsSinceEpoch: Int64(seconds)))" }

  @Test func `each of thirty requests and more names its place`() throws {
    let places = Set(RequestedSchedule.all.map(\.source))
    #expect(places.count >= 30)
    for place in places { #expect(try #/[\w.-]+\/[\w.-]+#\d+/#.wholeMatch(in: place) != nil, "\(place)") }
  }

  @Test(.enabled(if: isInstalled)) func `every request has the entries of the reference for twenty years`()
    throws
  {
    let requests = RequestedSchedule.all
    let lines = [Self.holidays.joined(separator: " ")] + requests.map(\.reference)
    let answers = try #require(
      output(of: Self.python, ["-c", Self.script], input: lines.map { $0 + "\n" }.joined())
    )
    .split(separator: "\n", omittingEmptySubsequences: false)
    try #require(answers.count > requests.count)
    for (request, (schedule, answer)) in zip(requests, zip(try Self.read(requests), answers)) {
      let own = try Self.entries(of: schedule.rule, in: schedule.zone)
      let expected = answer.split(separator: " ").compactMap { Int($0) }
      #expect(!own.isEmpty, "\(request.source): \(request.words)")
      let differing = zip(own, expected).first { $0 != $1 }.map { [$0, $1].map(Self.text) } ?? []
      #expect(
        own == expected,
        "\(request.source): \(request.words): \(own.count) and not \(expected.count) entries, \(differing)")
    }
  }
}
