import ArgumentParser
import TimelineCore
import TimelineRehearsal

/// The modes of a dry run, from `--mode`: the mode at the begin, and later changes.
struct ModeArguments {
  /// The mode at the begin.
  private(set) var first = ScheduleMode.normal
  /// The later changes, in the order of the command line.
  private(set) var changes: [DryRunModeChange] = []

  /// Parses the words of `--mode`. Throws for two modes at one instant, and for an instant outside of the dry run.
  init(_ words: [String], from begin: WallInstant, until end: WallInstant) throws {
    var instants: Set<WallInstant> = []
    for word in words {
      let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let mode = try Words.mode(parts[0])
      let instant = try parts.dropFirst().first.map { text in
        guard let instant = try? WallInstant(rfc3339: text) else {
          throw ValidationError(
            "--mode \(word): expected an instant after the @, for example 2030-01-01T00:00:00Z")
        }
        return instant
      }
      guard instants.insert(instant ?? begin).inserted else {
        throw ValidationError(
          instant.map { "--mode \(word): a second mode at \($0): leave one out" }
            ?? "--mode \(word): a second initial mode: add @INSTANT, or leave one out")
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
