package import TimelineConfiguration
package import TimelineCore
import TimelineSystem

// Checks that report everything at once, for an operator.
extension Loader {
  /// Reads and checks the files like
  /// ``read(refusingForeignWriters:refusingUnknownPlugins:refusingUnknownGroup:now:)``. After errors, continues with
  /// the readable jobs, so that an operator sees all errors at once.
  ///
  /// - Parameters:
  ///   - isForThisMachine: Whether files, plugins, users and groups must exist on this machine.
  ///   - now: Dates before this instant count as past.
  package func examine(
    forThisMachine isForThisMachine: Bool, now: WallInstant
  ) throws(LoadFailure) -> (readable: Configuration?, diagnostics: [Diagnostic]) {
    let files = try self.files()
    let isRoot = CurrentProcess.effectiveUser == 0
    var context = self.context(now: now, refusingForeignWriters: isForThisMachine && isRoot)
    var said: [Diagnostic] = []
    if isForThisMachine {
      context.pluginNames = pluginNames
      context.isGroupMissing = UserRecord.isGroupMissing
      context.controlUserObjection = Surroundings.objection(toControlUser:inGroup:)
      said = files.untrusted.map { fault in
        Diagnostic(
          severity: isRoot ? .error : .warning, place: SourcePlace(wholeOf: fault.path),
          message: fault.reason,
          help: [fault.remedy])
      }
      if let fault = installation.hostFault {
        said.append(Diagnostic(place: SourcePlace(wholeOf: installation.hostPath), message: fault))
      }
    }
    if let problem = variableProblem { said.append(problem) }
    switch Configuration.read(files.sources, in: context) {
    case .success(let configuration): return (configuration, said + configuration.warnings)
    case .failure(let refusal): return (refusal.readable, said + refusal.diagnostics)
    }
  }
}
