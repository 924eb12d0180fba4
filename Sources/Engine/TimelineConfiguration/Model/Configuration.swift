package import TimelineCore
package import TimelineEngine

/// A configuration that was read without an error: the daemon's settings and the jobs.
package struct Configuration: Sendable {
  package var daemon: DaemonSettings
  /// All jobs, also disabled ones, in the order of the files and their lines.
  package var jobs: [Job]
  /// The maximum number of simultaneous runs of each group's jobs together.
  package var groups: [GroupName: Int] = [:]
  /// In the order of the files.
  package var expectations: [PlacedExpectation] = []
  /// In the order of the files.
  package var warnings: [Diagnostic]

  /// Missing requirements of jobs that are kept but never fall due, in the order of the files.
  package var faults: [JobFault] = []

  /// Missing files of jobs that keep the former contents. These jobs do not run after a restart.
  package var cautions: [JobFault] = []

  /// Retained so that they can be read again with a new edition of the zone database.
  package var sources: [ConfigurationSource] = []

  /// The contents of files that the configuration names, such as holiday lists, by path, at the time of reading.
  package var files: [String: [UInt8]] = [:]

  /// The output of ``ConfigurationContext/calendar`` for the iCalendar files in ``files``, by path.
  package var calendars: [String: [UInt8]] = [:]

  package var crontabs = IncludedCrontabs()

  /// The place of each of ``jobs`` in its file; empty after ``settle()``.
  var sites: [JobSourceLocation] = []

  /// Definitions of the enabled jobs for the engine, in order. Jobs of one kin share their common parts.
  package var definitions: [JobDefinition] {
    jobs.allSatisfy(\.isEnabled) ? jobs.map(\.definition) : jobs.filter(\.isEnabled).map(\.definition)
  }

  /// Replaces the jobs by the jobs of `other`, a reading of the same files with another edition of the zone database.
  package mutating func replaceJobs(by other: Configuration) {
    jobs = other.jobs
    daemon.zone = other.daemon.zone
    faults = other.faults
    cautions = other.cautions
  }

  /// Sets whether cron keeps the jobs of crontabs.
  package mutating func leaveJobsToCron(_ isLeft: Bool) {
    let names = crontabs.cronJobs
    guard !names.isEmpty else { return }
    for index in jobs.indices where names.contains(jobs[index].name) {
      jobs[index].definition.isLeftToCron = isLeft
    }
  }

  /// Sets the instant of every `@reboot`, which was unknown when the files were read.
  package mutating func resolve(startOfMachine instant: WallInstant) {
    for index in jobs.indices {
      if let rule = jobs[index].schedule.resolved(startOfMachine: instant) {
        jobs[index].definition.schedule = rule
      }
    }
  }

  /// Returns the job with the name, enabled or disabled.
  package func job(named name: JobName) -> Job? { index(of: name).map { jobs[$0] } }

  /// Returns the place of the job's name; after ``settle()``, the configuration as a whole.
  package func place(of name: JobName) -> SourcePlace {
    index(of: name).map(place(ofJobAt:)) ?? SourcePlace(wholeOf: sources.first?.path ?? "configuration")
  }

  /// Returns the place of the plugin's name in the job at `index` of ``jobs``, for reports of a missing plugin.
  package func pluginPlace(ofJobAt index: Int) -> SourcePlace {
    sites.indices.contains(index) ? sites[index].pluginPlace : place(ofJobAt: index)
  }

  /// Returns the place of the value at the path `keys` in the table of the job at `index` of ``jobs``. Used to report
  /// that the value names something that is missing on the machine.
  package func place(ofJobAt index: Int, under keys: [String]) -> SourcePlace {
    sites.indices.contains(index) ? sites[index].place(under: keys) : place(ofJobAt: index)
  }

  /// Releases the parsed documents, which only checks need and which are many times as large as the files. Call this
  /// when the configuration has been checked and takes effect.
  package mutating func settle() { sites = [] }

  /// Sorts the diagnostics of several checks by the order of the files, then by line and column, then by their order in
  /// `diagnostics`.
  package func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.sorted(by: sources.map(\.path))
  }

  private func index(of name: JobName) -> Int? { jobs.firstIndex { $0.name == name } }

  private func place(ofJobAt index: Int) -> SourcePlace {
    sites.indices.contains(index)
      ? sites[index].place : SourcePlace(wholeOf: sources.first?.path ?? "configuration")
  }
}

/// All errors and warnings of a refused configuration; at least one error.
package struct ConfigurationRefusal: Error, Sendable {
  /// In the order of the files and their lines.
  package var diagnostics: [Diagnostic]
  /// The readable part, without the warnings. It is enough to look for further errors, but not to run. `nil` if no
  /// part could be read.
  package var readable: Configuration?

  package var errorCount: Int { diagnostics.count { $0.severity == .error } }
}
