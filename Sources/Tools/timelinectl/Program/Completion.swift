import ArgumentParser
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// Completions for arguments of this program. A failure yields no completions and no message.
extension CompletionKind {
  /// The jobs of the running daemon.
  static let jobs = custom { words, _, _ in
    DaemonConnection.answer(from: Self.socket(in: words)) { try $0.call(Control.List()).jobs.map(\.name) }
      ?? []
  }

  /// The paused jobs of the running daemon.
  static let pausedJobs = custom { words, _, _ in
    DaemonConnection.answer(from: Self.socket(in: words)) {
      try $0.call(Control.List()).jobs.filter { $0.pausedSince != nil }.map(\.name)
    } ?? []
  }

  /// The jobs that wait because the clock was set back.
  static let jobsWaitingForClock = custom { words, _, _ in
    DaemonConnection.answer(from: Self.socket(in: words)) {
      try $0.call(Control.List()).jobs.filter(\.waitsForClock).map(\.name)
    } ?? []
  }

  /// The numbers of the daemon's active and waiting runs, and the jobs of these runs.
  static let runsAndTheirJobs = custom { words, _, _ in
    DaemonConnection.answer(from: Self.socket(in: words)) {
      let jobs = try $0.call(Control.List()).jobs.filter {
        !$0.running.isEmpty || $0.waiting.contains { $0.run != nil }
      }
      let runs = jobs.flatMap { job in job.running.map(\.run) + job.waiting.compactMap(\.run) }
      return runs.map { "\($0)" } + jobs.map(\.name)
    } ?? []
  }

  /// The jobs of the configuration file.
  static let configuredJobs = custom { words, _, _ in
    let path = Self.value(of: ["-c", "--config"], in: words) ?? ConfigurationOptions.defaultPath
    let configuration = try? Loader(path: path, installation: Installation()).read(
      refusingForeignWriters: false, refusingUnknownPlugins: false, now: SystemTime.now())
    return configuration?.jobs.map(\.name.text) ?? []
  }

  /// The zones of the machine's zone database.
  static let zones = custom { _, _, _ in ZoneCatalog().names }

  /// The words of a choice.
  static func choice<Choice: RawRepresentable & CaseIterable>(
    of type: Choice.Type
  ) -> CompletionKind where Choice.RawValue == String {
    list(type.allCases.map(\.rawValue))
  }

  private static func socket(in words: [String]) -> String? { value(of: ["-s", "--socket"], in: words) }

  /// Returns the value of an option in a command line from a shell, which may have quotes and `=`.
  private static func value(of names: [String], in words: [String]) -> String? {
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first, names.contains(String(name)) else { continue }
      return (parts.count == 2 ? String(parts[1]) : next).filter { !"\"'\\".contains($0) }
    }
    return nil
  }
}
