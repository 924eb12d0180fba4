import Foundation
import Testing
import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// A wrong or a right file, and beside it the expected diagnostics.
///
/// `Wrong/NAME.toml` is the main file; a line `#--- jobs.d/PATH.toml` in it begins the next file. `NAME.txt` is the
/// expected output, byte for byte. Where `NAME.schema.json` exists, the parameters of every job are then held
/// against it. To write the expected outputs anew, look at the difference and commit it:
/// `TIMELINED_REGENERATE=1 swift test --filter TimelineConfigurationTests && git diff`.
struct GoldenCase: Sendable, CustomTestStringConvertible {
  let directory: URL
  let name: String

  var testDescription: String { name }

  /// The cases of a directory beside this file, in the order of their names.
  static func all(in directory: String) -> [GoldenCase] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: directory)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return files.filter { $0.hasSuffix(".toml") }.sorted()
      .map { GoldenCase(directory: url, name: String($0.dropLast(".toml".count))) }
  }

  /// The files that configurations can name.
  static let namedFiles = [
    (
      "/etc/timelined/public.ics",
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20261225\r\nDTEND;VALUE=DATE:20261227\r\n"
        + "RRULE:FREQ=YEARLY\r\nSUMMARY:Christmas\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    ),
    (
      "/etc/timelined/works.txt",
      "# the works are closed\n2026-12-24\tChristmas Eve\n\t\n2026-12-29# stocktaking\n"
        + "\n \t2026-12-31 New Year's Eve\n2028-12-31\n"
    ),
    ("/etc/timelined/broken.txt", "2026-12-24\n  2026-02-30 no such day\n"),
    ("/etc/timelined/broken.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:soon\nEND:VEVENT\nEND:VCALENDAR\n"),
  ].map { ConfigurationSource(path: $0, bytes: Array($1.utf8)) }

  /// A day in June 2026.
  static let now = WallInstant(secondsSinceEpoch: 1_780_272_000)

  static var isRegenerating: Bool { ProcessInfo.processInfo.environment["TIMELINED_REGENERATE"] == "1" }

  func url(_ suffix: String) -> URL { directory.appending(path: name + suffix) }

  /// The files of the case; only the first may hold bytes that are not text.
  func sources() throws -> [ConfigurationSource] {
    let bytes = try [UInt8](Data(contentsOf: url(".toml")))
    var sources = [ConfigurationSource(path: "\(name).toml", bytes: [])]
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.starts(with: "#--- ".utf8) {
        sources.append(
          ConfigurationSource(path: String(decoding: line.dropFirst(5), as: UTF8.self), bytes: []))
      } else {
        sources[sources.count - 1].bytes += line + [UInt8(ascii: "\n")]
      }
    }
    // The last line has no newline that the file has not.
    sources[sources.count - 1].bytes.removeLast()
    return sources
  }

  /// Messages of the reader, and after it of the proof of expectations and the schema.
  func diagnostics() throws -> [Diagnostic] {
    switch Configuration.read(try sources(), in: .golden) {
    case .failure(let refusal): return refusal.diagnostics
    case .success(let configuration):
      let said = configuration.warnings + configuration.proveExpectations(from: Self.now).diagnostics
      guard let schema = try? String(contentsOf: url(".schema.json"), encoding: .utf8) else { return said }
      return said
        + configuration.check(parametersOf: configuration.jobs.map(\.name), against: schema)
    }
  }

  func expectedText() throws -> String { try String(contentsOf: url(".txt"), encoding: .utf8) }
}

extension ConfigurationContext {
  /// A small world that is the same on every machine: three zones, four plugins, a day in June 2026.
  static var golden: ConfigurationContext {
    var context = ConfigurationContext(
      zoneNames: ["America/New_York", "Asia/Tokyo", "Europe/Berlin", "Europe/London", "UTC"],
      machineZone: .utc, pluginNames: ["exec", "http", "log", "sampler"],
      now: GoldenCase.now
    ) { name in
      switch name {
      case "UTC": .utc
      case "Europe/Berlin": Zone(name: name, rule: "CET-1CEST,M3.5.0,M10.5.0/3", offset: 3_600)
      case "America/New_York": Zone(name: name, rule: "EST5EDT,M3.2.0,M11.1.0", offset: -18_000)
      default: nil
      }
    }
    context.file = { path in
      GoldenCase.namedFiles.first { $0.path == path }.map { .success($0.bytes) }
        ?? .failure(FileRefusal(reason: "\(path): there is no such file"))
    }
    context.calendar = { _, bytes, years in
      do throws(SystemError) {
        return .success(try `Calendars of holidays`.lines(bytes, years: years))
      } catch {
        return .failure(FileRefusal(reason: error.description))
      }
    }
    return context
  }
}

extension Zone {
  /// A zone with one unchanging rule: the smallest compiled zone file of version 2 (RFC 8536).
  init?(name: String, rule: String, offset: Int32) {
    let counts: [UInt32] = [0, 0, 0, 0, 1, 4]
    func big(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts.flatMap(big)
    let types = big(UInt32(bitPattern: offset)) + [0, 0] + Array("LMT\0".utf8)
    guard let zone = try? Zone(name: name, tzif: header + types + header + types + Array("\n\(rule)\n".utf8))
    else { return nil }
    self = zone
  }
}
