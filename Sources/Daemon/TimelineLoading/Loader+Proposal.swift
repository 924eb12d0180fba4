package import TimelineConfiguration
package import TimelineCore

extension Loader {
  /// Reads a text that is proposed in place of a configuration. Does not read the files that the text names, because
  /// its author may have no right to read them.
  ///
  /// Zones are read. Holiday lists and crontabs are available only if `former` names them, with their former
  /// contents.
  package func read(proposedFor former: Configuration, now: WallInstant) throws(LoadFailure) -> Configuration
  {
    _ = zones.refresh()
    var context = context(now: now)
    context.file = { path in
      former.files[path].map { .success($0) }
        ?? .failure(
          FileRefusal(
            reason: "\(path) is not read for a proposed configuration: the one in force does not name it"))
    }
    context.calendar = { path, _, _ in
      former.calendars[path].map { .success($0) }
        ?? .failure(FileRefusal(reason: "\(path) was no calendar for the configuration in force"))
    }
    context.crontabs = { paths in
      if paths == former.daemon.crontabs { return former.crontabs }
      var none = IncludedCrontabs()
      none.warnings = paths.prefix(1).map { path in
        Diagnostic(
          severity: .warning, place: SourcePlace(wholeOf: path),
          message: "crontabs are not read for a proposed configuration: their jobs are missing here")
      }
      return none
    }
    switch Configuration.read(try files().sources, in: context) {
    case .success(let configuration): return configuration
    case .failure(let refusal): throw .refused(refusal.diagnostics)
    }
  }
}
