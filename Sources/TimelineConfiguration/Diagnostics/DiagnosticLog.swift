/// Collects the diagnostics of one reading. It lives as long as the reading and is never shared.
final class DiagnosticLog {
  private var diagnostics: [Diagnostic] = []
  private var droppedCount = 0
  private(set) var hasErrors = false

  /// Adds a diagnostic; after ``ConfigurationLimits/diagnosticCountMax`` of them they are only counted.
  func report(_ diagnostic: Diagnostic) {
    if diagnostic.severity == .error { hasErrors = true }
    if diagnostics.count < ConfigurationLimits.diagnosticCountMax {
      diagnostics.append(diagnostic)
    } else {
      droppedCount += 1
    }
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

  /// Everything in the order of `paths`, then of lines and columns, then of arrival.
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
  /// Sorts in the order of `paths`, then of lines and columns, then of arrival.
  func sorted(by paths: [String]) -> [Diagnostic] {
    let ranks = Dictionary(paths.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func key(_ element: (offset: Int, element: Diagnostic)) -> (Int, Int, Int, Int) {
      let place = element.element.place
      return (ranks[place.path] ?? .max, place.line, place.column, element.offset)
    }
    return enumerated().sorted { key($0) < key($1) }.map(\.element)
  }
}
