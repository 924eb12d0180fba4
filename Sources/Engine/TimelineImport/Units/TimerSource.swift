/// A timer with the unit that it starts.
package struct TimerSource: Sendable {
  package var timer: UnitFile
  /// The unit that the timer starts; `nil` if the unit's file does not exist.
  package var service: UnitFile?
  /// The text of the file from which a generator made the timer (`SourcePath=`); `nil` for any other timer.
  package var generatedFrom: String?
  /// Absolute paths of the timer's file, with and without its links resolved. They determine the timer's origin.
  package var places: [String]

  /// Makes a source. If `places` is `nil`, the place is the path of the timer's file.
  package init(timer: UnitFile, service: UnitFile?, generatedFrom: String? = nil, places: [String]? = nil) {
    (self.timer, self.service, self.generatedFrom) = (timer, service, generatedFrom)
    self.places = places ?? Array(timer.paths.prefix(1))
  }

  /// Returns the file from which a generator made a timer; `nil` for any other timer.
  package static func sourcePath(of timer: UnitFile) -> String? { timer.value("Unit", "SourcePath") }

  /// Returns the name of the unit that a timer starts: the name in `Unit=`, or the timer's name with another suffix.
  package static func startedUnit(of timer: UnitFile, in context: ImportContext) -> String {
    let unit = timer.resolvingSpecifiers(in: context).unit
    if let name = unit.value("Timer", "Unit") { return name }
    return timer.name.hasSuffix(".timer")
      ? String(timer.name.dropLast(6)) + ".service" : timer.name + ".service"
  }
}

// Timers that were not written by an administrator.
extension TimerSource {
  /// The timer's origin, and the source that should be imported instead; `nil` for a timer of an administrator.
  ///
  /// If its source changes, a generated unit is removed or may belong to another line (systemd.generator(7),
  /// systemd-run(1)).
  var origin: String? {
    let directories = places.compactMap { $0.split(separator: "/").dropLast().last }
    switch directories.first(where: { Self.directories.contains($0) }) {
    case nil: return nil
    case "transient":
      return
        "it is transient and goes away with its start: import what starts it, for example a call of systemd-run"
    default:
      guard let path = Self.sourcePath(of: timer) else {
        return "it is made by a generator: import its source"
      }
      guard CrontabSource.format(ofFileAt: path) != nil else { return "generated from \(path): import that" }
      let place = line.map { "\(path) line \($0)" } ?? path
      return "generated from \(place): import the crontab: `timelinectl import crontab \(path)`"
    }
  }

  /// Directories of generated units.
  private static let directories: Set<Substring> = [
    "transient", "generator", "generator.early", "generator.late",
  ]

  /// The number of the line that the description quotes, as in systemd-cron's `[Timer] "*/5 * * * * root poll"`.
  private var line: Int? {
    guard let description = timer.value("Unit", "Description"), description.hasSuffix("\""),
      let begin = description.firstIndex(of: "\"")
    else { return nil }
    let quoted = Self.words(
      Substring(description[begin...].dropFirst().dropLast().replacing("%%", with: "%")))
    let lines = generatedFrom?.split(separator: "\n", omittingEmptySubsequences: false)
    return lines?.firstIndex { Self.words($0) == quoted }.map { $0 + 1 }
  }

  private static func words(_ text: Substring) -> [Substring] {
    text.split { $0 == " " || $0 == "\t" }
  }
}
