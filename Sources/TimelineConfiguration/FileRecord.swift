import TimelineCore

/// The result of reading a file that contains only jobs, kept so that the file is not read again while its result
/// would be the same.
///
/// The result is the same when the bytes of the file, the zones and the names of plugins are the same. A file with
/// diagnostics, or one that refers to other files, to the time or to the start of the machine, has no record.
struct FileRecord: Sendable {
  /// Its jobs, by their places in ``Configuration/jobs``.
  var jobs: Range<Int>
  /// The zones that it names.
  var zones: [String: Zone]
}

/// The files of the configuration in force that need not be read again.
struct FormerFiles {
  private let configuration: Configuration
  private let places: [String: Int]

  /// Takes what was read before.
  init(of configuration: Configuration) {
    self.configuration = configuration
    // The main file is read in any case, for its settings.
    let kept = configuration.records.indices.dropFirst().filter { configuration.records[$0] != nil }
    places = Dictionary(
      kept.map { (configuration.sources[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The file that `source` is, if it has a record and the very same bytes.
  func file(_ source: ConfigurationSource) -> FormerFile? {
    guard let place = places[source.path], let record = configuration.records[place],
      configuration.sources[place].hasBytes(of: source)
    else { return nil }
    return FormerFile(
      source: configuration.sources[place], record: record, jobs: configuration.jobs[record.jobs],
      zone: configuration.daemon.zone)
  }
}

/// A file that says what it said before.
struct FormerFile {
  /// The file, in the form in which it is kept.
  let source: ConfigurationSource
  let record: FileRecord
  let jobs: ArraySlice<Job>
  /// The zone of its jobs that name none.
  let zone: Zone

  /// Whether it would come to the same once more, of which nothing is to be said.
  ///
  /// - Parameters:
  ///   - defaultZone: The zone of jobs that name none; `nil` when that is not known.
  ///   - zones: The zones of this reading.
  ///   - pluginNames: The names that `plugin` may have; `nil` for any.
  ///   - now: The instant by which dates are judged to be past.
  func holds(
    defaultZone: Zone?, zones: ZoneTable, pluginNames: [String]?, now: WallInstant?
  ) -> Bool {
    guard defaultZone == zone, record.zones.allSatisfy({ zones[$0.key] == $0.value }) else { return false }
    var traits: JobTraits?
    for job in jobs {
      if let now, PolicyChecks.isOver(job.schedule, at: now) { return false }
      if job.traits === traits { continue }
      traits = job.traits
      if let pluginNames, case .name(let name) = job.plugin, !pluginNames.contains(name) { return false }
    }
    return true
  }
}
