import Foundation
import Testing
import TimelineCore

@testable import TimelineImport

/// Sources, and beside each the configuration and the report that are expected, byte for byte.
///
/// `Crontabs/NAME.crontab` is a crontab of the system, or one of the user ada where NAME begins with `ada`. `Timers/NAME.units` has units,
/// each behind a line `#--- PATH`; the timers among them are imported. To write what is expected anew, look at the difference and
/// commit it: `TIMELINED_REGENERATE=1 swift test --filter TimelineImportTests && git diff`.
struct GoldenImportTests {
  @Test(arguments: Golden.all(in: "Crontabs", suffix: ".crontab"))
  func `crontabs become the expected configuration and report`(golden: Golden) throws {
    let source = CrontabSource(
      path: golden.path, bytes: Array(try golden.source()),
      format: golden.name.hasPrefix("ada")
        ? .user("ada") : CrontabSource.format(ofFileAt: golden.path) ?? .system)
    let made = CrontabImport([source], in: .village)
    #expect(made.report.lines.count { $0.line > 0 } == golden.lineCount(try golden.source()))
    try golden.compare(made.file, made.report)
  }

  @Test(arguments: Golden.all(in: "Timers", suffix: ".units"))
  func `timers become the expected configuration and report`(golden: Golden) throws {
    var parts: [UnitFile.Part] = []
    for line in String(decoding: try golden.source(), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("#--- ") {
        parts.append(UnitFile.Part(path: String(line.dropFirst(5)), text: ""))
      } else {
        parts[parts.count - 1].text += line + "\n"
      }
    }
    let units = Dictionary(grouping: parts) { part in
      // A drop-in lies in UNIT.d.
      let names = part.path.split(separator: "/")
      return String(
        part.path.hasSuffix(".conf") ? names[names.count - 2].dropLast(2) : names[names.count - 1])
    }
    let sources = units.keys.filter { $0.hasSuffix(".timer") }.sorted().map { name in
      let timer = UnitFile(name: name, parts: units[name] ?? [])
      let started = TimerSource.startedUnit(of: timer, in: .village)
      let service = (units[started] ?? UnitFile.template(of: started).flatMap { units[$0] }).map {
        UnitFile(name: started, parts: $0)
      }
      return TimerSource(timer: timer, service: service)
    }
    let made = TimerImport(sources, in: .village)
    try golden.compare(made.file, made.report)
  }

  @Test(arguments: Golden.all(in: "Calendars", suffix: ".ics"))
  func `calendars become the expected configuration and report, with a proof`(golden: Golden) throws {
    let output = try `Imports of calendars`.output(Array(try golden.source()), isProven: true)
    let made = IcalImport(output, from: "\(golden.name).ics", in: `Imports of calendars`.context())
    let proofs = try `Imports of calendars`.proofs(of: made).map(\.text).joined()
    try golden.compare(made.file, made.report, proofs: proofs)
  }
}

extension ImportContext {
  /// A machine with four users, one of them without a home directory, and with four time zones.
  static var village: ImportContext {
    let homes = [
      "root": "/root", "ada": "/var/people/ada", "www-data": "/var/www", "nobody": "/nonexistent",
    ]
    let zones = ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/New_York"]
    return ImportContext(
      hostName: "village.example.org", home: { homes[$0] }, isDirectory: { $0 != "/nonexistent" },
      isZone: { zones.contains($0) }, zoneNames: { zones })
  }
}

/// A source, and what is expected of it.
struct Golden: Sendable, CustomTestStringConvertible {
  let url: URL
  let suffix: String

  var testDescription: String { name }
  var name: String { String(url.lastPathComponent.dropLast(suffix.count)) }
  /// The path by which messages name it.
  var path: String { name.hasPrefix("crond-") ? "/etc/cron.d/\(name.dropFirst(6))" : "/etc/\(name)" }

  static func all(in directory: String, suffix: String) -> [Golden] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: directory)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return files.filter { $0.hasSuffix(suffix) }.sorted().map {
      Golden(url: url.appending(path: $0), suffix: suffix)
    }
  }

  func source() throws -> Data { try Data(contentsOf: url) }

  func lineCount(_ data: Data) -> Int {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
      - (data.last == UInt8(ascii: "\n") ? 1 : 0)
  }

  func compare(_ file: ImportedFile, _ report: ImportReport, proofs: String = "") throws {
    #expect(file.errors.isEmpty)
    let directory = url.deletingLastPathComponent()
    let found = [
      (".toml", file.text(schema: "/usr/share/timelined/timelined.schema.json")),
      (".txt", report.text + proofs),
    ]
    for (suffix, text) in found {
      let expected = directory.appending(path: name + suffix)
      if ProcessInfo.processInfo.environment["TIMELINED_REGENERATE"] == "1" {
        try text.write(to: expected, atomically: true, encoding: .utf8)
      }
      #expect(text == (try? String(contentsOf: expected, encoding: .utf8)), "\(name)\(suffix)")
    }
  }
}
