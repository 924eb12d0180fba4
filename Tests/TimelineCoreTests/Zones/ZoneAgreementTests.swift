import Foundation
import Testing
import TimelineCore

/// The years 1970 to 2100 of every zone, checked against two other readers.
///
/// Foundation has an edition of the zone database of its own inside its ICU, older than the installed one; the test prints
/// the edition. With 2026f installed it lacks the last clock change of western Canada, the months without one in Havana and
/// Morocco in 2026, and later corrections of Bogota in 1992, Chisinau's hour of change, Tehran in 1979 and Tijuana before
/// 1976. Its result for a zone is overruled only if `zdump`, the C library's own reader of the same file, agrees with
/// timelined on every change from 1970 to 2100, to the second.
@Suite struct `Zones agree with other readers` {
  static let from: Int64 = 0
  static let end: Int64 = 4_133_980_800  // 2101-01-01

  @Test func `zones agree with Foundation from 1970 to 2100`() throws {
    var agreeing: [String] = []
    var differing: [String] = []
    var questions = 0
    for name in TimeZone.knownTimeZoneIdentifiers {
      let zone = try ZoneFiles.zone(name)
      let other = try #require(TimeZone(identifier: name))
      let instants = Self.instants(for: zone)
      questions += instants.count
      let isSame = instants.allSatisfy { seconds in
        zone.offset(at: second(seconds))
          == other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      }
      if isSame { agreeing.append(name) } else { differing.append(name) }
    }
    print(
      "\(agreeing.count) zones agree with Foundation at \(questions) instants;",
      "its edition \(TimeZone.timeZoneDataVersion) differs on \(differing.joined(separator: ", "))")
    #expect(agreeing.count >= 400)
    #expect(Set(agreeing).intersection(ZoneFiles.odd).count >= 60)
    #expect(differing.count < 40)
    try Self.expectAgreementWithZdump(differing)
  }

  @Test func `transitions, offsets, flags and abbreviations agree with zdump`() throws {
    try Self.expectAgreementWithZdump(ZoneFiles.odd)
  }

  @Test func `since 1972 the offset of every zone is whole minutes`() throws {
    // Liberia was the last to give up a local time with seconds, on 7 January 1972 at 00:44:30 UTC.
    let end = try WallInstant(rfc3339: "1972-01-07T00:44:30Z")
    for name in TimeZone.knownTimeZoneIdentifiers {
      let zone = try ZoneFiles.zone(name)
      var transition: WallInstant? = end
      while let found = transition {
        #expect(zone.offset(at: found) % 60 == 0, "\(name) at \(found)")
        transition = zone.nextTransition(after: found)
      }
    }
    #expect(try ZoneFiles.zone("Africa/Monrovia").offset(at: end - .seconds(1)) == -2_670)
  }

  /// Every transition with the second before and after it, and a grid that falls on any hour of any weekday.
  static func instants(for zone: Zone) -> [Int64] {
    var instants = Array(stride(from: from, to: end, by: 13 * 86_400 + 5 * 3_600 + 607))
    var transition = zone.nextTransition(after: second(from))
    while let found = transition, found.seconds < end {
      instants += [found.seconds - 1, found.seconds, found.seconds + 1]
      transition = zone.nextTransition(after: found)
    }
    return instants
  }

  /// Expects the same changes at the same seconds, no more and no fewer, with the same local time around them.
  static func expectAgreementWithZdump(_ names: [String]) throws {
    guard !names.isEmpty else { return }
    let changes = try zdump(names)
    for name in names {
      let zone = try ZoneFiles.zone(name)
      let expected = changes[name] ?? []
      #expect(expected.count % 2 == 0, "\(name)")
      var transition = zone.nextTransition(after: second(from - 1))
      for pair in stride(from: 0, to: expected.count - 1, by: 2) {
        #expect(transition == second(expected[pair + 1].seconds), "\(name)")
        for row in expected[pair...pair + 1] {
          let instant = second(row.seconds)
          #expect(zone.offset(at: instant) == row.offset, "\(name) at \(instant)")
          #expect(zone.isDaylightSaving(at: instant) == row.isDaylightSaving, "\(name) at \(instant)")
          #expect(zone.abbreviation(at: instant) == row.abbreviation, "\(name) at \(instant)")
        }
        transition = transition.flatMap { zone.nextTransition(after: $0) }
      }
      #expect(
        transition.map { $0.seconds >= end } ?? true,
        "\(name) has a change at \(transition as Any) that zdump does not know")
    }
  }

  struct Change {
    let seconds: Int64
    let abbreviation: String
    let isDaylightSaving: Bool
    let offset: Int
  }

  /// The last second before and the first second after each change, by name, as the C library reads them.
  static func zdump(_ names: [String]) throws -> [String: [Change]] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/zdump")
    process.arguments = ["-v", "-c", "1970,2101"] + names
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var changes: [String: [Change]] = [:]
    for line in text.split(separator: "\n") where line.contains("gmtoff=") {
      // Europe/Berlin  Sun Mar 29 01:00:00 2026 UT = Sun Mar 29 03:00:00 2026 CEST isdst=1 gmtoff=7200
      let words = line.split(separator: " ")
      let clock = words[4].split(separator: ":").compactMap { Int($0) }
      let date = try #require(
        CivilDate(
          year: Int(words[5]) ?? 0, month: (months.firstIndex(of: String(words[2])) ?? -1) + 1,
          day: Int(words[3]) ?? 0))
      changes[String(words[0]), default: []].append(
        Change(
          seconds: Int64(date.daysSinceEpoch * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]),
          abbreviation: String(words[13]), isDaylightSaving: words[14] == "isdst=1",
          offset: Int(words[15].dropFirst(7)) ?? .max))
    }
    return changes
  }
}
