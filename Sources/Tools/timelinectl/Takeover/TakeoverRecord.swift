import TimelineSystem

/// Units that a takeover stopped, with the state to restore: a file with a line `UNIT [enabled] [masked]` for each.
struct TakeoverRecord {
  /// A stopped unit.
  struct Unit {
    let name: String
    /// Whether the unit was enabled before this takeover, or before an earlier takeover that was not undone.
    var isEnabled: Bool
    /// Whether a takeover masks the unit.
    var isMasked: Bool
  }

  /// The units, in the order in which they were stopped.
  private(set) var units: [Unit] = []

  private static let path = "/var/lib/timelined/takeover"
  /// Maximum bytes of the file: more than the names of a few units need.
  private static let byteCountMax = 65_536

  /// Reads the file. Without a file there are no units.
  init() throws(CronService.Failure) {
    do throws(SystemError) {
      let bytes = try FileContents.read(Self.path, limit: Self.byteCountMax).bytes
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let name = words.first else { continue }
        units.append(
          Unit(
            name: String(name), isEnabled: words.contains("enabled"), isMasked: words.contains("masked")))
      }
    } catch  where error.isMissing {
      // No takeover has run, or the last takeover was undone.
    } catch {
      throw CronService.Failure(text: "\(error): nothing is changed")
    }
  }

  /// Adds a unit with its current state. If the unit is recorded already, each flag stays set or becomes set, because an
  /// earlier takeover may have been interrupted after it disabled or masked the unit.
  mutating func add(_ unit: Unit) {
    guard let index = units.firstIndex(where: { $0.name == unit.name }) else { return units.append(unit) }
    units[index].isEnabled = units[index].isEnabled || unit.isEnabled
    units[index].isMasked = units[index].isMasked || unit.isMasked
  }

  /// Writes the file.
  func write() throws(CronService.Failure) {
    var text = ""
    for unit in units {
      text += unit.name + (unit.isEnabled ? " enabled" : "") + (unit.isMasked ? " masked" : "") + "\n"
    }
    do throws(SystemError) {
      try WholeFile.write(Array(text.utf8), to: Self.path, mode: 0o644)
    } catch {
      throw CronService.Failure(text: "\(error): nothing is changed")
    }
  }

  /// Removes the file, once all is undone.
  func remove() { WholeFile.discard(Self.path) }
}
