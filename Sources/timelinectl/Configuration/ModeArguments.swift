import ArgumentParser
import TimelineCore
import TimelineRehearsal

/// Modes of a dry run, as `--mode` gives them: one for its begin, and changes at instants.
struct ModeArguments {
  /// Mode at the begin.
  private(set) var first = ScheduleMode.normal
  /// Changes after it, in the order in which they are given.
  private(set) var changes: [DryRunModeChange] = []

  /// Reads the words; refuses two modes for one instant, and an instant that is not within the dry run.
  init(_ words: [String], from begin: WallInstant, until end: WallInstant) throws {
    var instants: Set<WallInstant> = []
    for word in words {
      let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let mode = try Words.mode(parts[0])
      let instant = try parts.dropFirst().first.map { try Words.instant($0, option: "--mode") }
      guard instants.insert(instant ?? begin).inserted else {
        let place = instant.map { "at \($0)" } ?? "to begin with"
        throw ValidationError("--mode \(word): there are two modes \(place); give one of them")
      }
      guard let instant, instant != begin else {
        first = mode
        continue
      }
      guard instant > begin, instant < end else {
        throw ValidationError("--mode \(word): \(instant) is not between \(begin) and \(end)")
      }
      changes.append(DryRunModeChange(at: instant, mode: mode))
    }
  }
}
