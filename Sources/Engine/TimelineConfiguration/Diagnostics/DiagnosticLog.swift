/// Collects the diagnostics of one reading of the files. Each reading has its own log, which is never shared.
final class DiagnosticLog {
  private var diagnostics: [Diagnostic] = []
  private var droppedCount = 0
  private(set) var hasErrors = false
  /// The job that is being read, with the defaults of its file; `nil` if the file has no defaults.
  var heir: (note: Diagnostic.Note, defaults: FileDefaults)?
  /// The diagnostics reported so far. A wrong value in the defaults is reported once, although many jobs inherit it.
  private var reported: Set<Place> = []

  private struct Place: Hashable {
    var path: String
    var line: Int
    var column: Int
    var message: String
  }

  /// Adds a diagnostic. After ``ConfigurationLimits/diagnosticCountMax`` diagnostics, further ones are only counted.
  func report(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error { hasErrors = true }
    guard diagnostics.count < ConfigurationLimits.diagnosticCountMax else { return droppedCount += 1 }
    let place = diagnostic.place
    let mark = Place(
      path: place.path, line: place.line, column: place.column, message: diagnostic.message)
    guard reported.insert(mark).inserted else { return }
    diagnostics.append(diagnostic)
    guard let heir, heir.defaults.covers(place) else { return }
    diagnostics[diagnostics.count - 1].notes.append(heir.note)
  }

  /// Begins a job. Diagnostics about values of `defaults` then get a note that the job inherits the values.
  func begin(_ job: TOMLEntry, _ defaults: FileDefaults) {
    heir = (Diagnostic.Note(message: "the job `\(job.key)` has it from there", place: job.place), defaults)
  }

  /// Adds an error.
  func error(
    _ message: String, at place: SourcePlace, label: String? = nil, help: [String] = [],
    notes: [Diagnostic.Note] = []
  ) {
    report(
      Diagnostic(severity: .error, place: place, message: message, label: label, help: help, notes: notes))
  }

  /// Adds a warning.
  func warning(
    _ message: String, at place: SourcePlace, label: String? = nil, help: [String] = [],
    notes: [Diagnostic.Note] = []
  ) {
    report(
      Diagnostic(severity: .warning, place: place, message: message, label: label, help: help, notes: notes))
  }

  /// Returns all diagnostics sorted by the order of `paths`, then by line and column, then by arrival.
  func sorted(by paths: [String]) -> [Diagnostic] {
    var sorted = diagnostics.sorted(by: paths)
    if droppedCount > 0, let last = sorted.last {
      sorted.append(
        Diagnostic(
          severity: hasErrors ? .error : .warning, place: SourcePlace(wholeOf: last.place.path),
          message: "there are \(droppedCount) more errors and warnings",
          help: ["correct the ones above first"]))
    }
    return sorted
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics sorted by the order of `paths`, then by line and column, then by arrival.
  func sorted(by paths: [String]) -> [Diagnostic] {
    let ranks = Dictionary(paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func key(_ index: Int) -> (Int, Int, Int, Int) {
      let place = self[index].place
      return (ranks[place.path] ?? .max, place.line, place.column, index)
    }
    return indices.sorted { key($0) < key($1) }.map { self[$0] }
  }
}
