import TimelineConfiguration
package import TimelineCore
import TimelineEngine
import TimelineLoading
package import TimelineRehearsal

/// A configuration that is proposed in place of the daemon's.
package struct ProposedConfiguration: Sendable {
  /// An error or a warning about the text, as `timelinectl check` prints it.
  package struct Remark: Error, Sendable, Equatable {
    /// Whether the remark makes the text invalid.
    package var isError: Bool
    /// From 1; 0 for the text as a whole.
    package var line: Int
    /// From 1.
    package var column: Int
    /// The whole message, with the source line and a caret.
    package var text: String
  }

  /// A reason why a proposal has no effects.
  package enum Refusal: Error, Sendable {
    /// The text has errors, possibly among warnings.
    case remarks([Remark])
    /// The daemon's configuration cannot be read.
    case nothingToCompare
  }

  package let plan: SimulationPlan
  /// The zone of each job, including jobs of the daemon's configuration.
  package let zones: [JobName: Zone]
  /// The zone of the display.
  package let zone: Zone
  package let remarks: [Remark]
  /// Files of the daemon's configuration besides the main file; the text replaces these files too.
  package let otherFileCount: Int

  /// The name of the text in errors and warnings.
  package static let name = "proposal"

  /// Reads a text that replaces the configuration of `future`. Reads no file.
  package init(_ text: [UInt8], inPlaceOf future: FutureEntries, now: WallInstant) throws(Refusal) {
    guard let former = future.configuration, let formerPlan = future.plan else { throw .nothingToCompare }
    let source = ConfigurationSource(path: Self.name, bytes: text)
    let configuration: Configuration
    do throws(LoadFailure) {
      configuration = try Loader(of: source, installation: Installation()).read(
        proposedFor: former, now: now)
    } catch .refused(let diagnostics) {
      throw .remarks(diagnostics.map(Remark.init))
    } catch {
      throw .remarks([Remark(isError: true, line: 0, column: 0, text: error.text())])
    }
    plan = SimulationPlan(
      jobs: configuration.definitions, groups: configuration.groups, seed: formerPlan.seed,
      mode: formerPlan.mode)
    zones = Dictionary(
      (former.jobs + configuration.jobs).map { ($0.name, $0.zone) }, uniquingKeysWith: { $1 })
    zone = configuration.daemon.zone
    remarks = configuration.warnings.map(Remark.init)
    otherFileCount = max(0, former.sources.count - 1)
  }
}

extension ProposedConfiguration.Remark {
  /// Makes a remark from a diagnostic, without lines of other files, which the author of a proposal cannot see.
  fileprivate init(_ diagnostic: Diagnostic) {
    var shown = diagnostic
    shown.notes.removeAll { $0.place.path != ProposedConfiguration.name }
    if shown.place.path != ProposedConfiguration.name {
      shown.place = SourcePlace(wholeOf: shown.place.path)
    }
    self.init(
      isError: shown.severity == .error, line: shown.place.line, column: shown.place.column,
      text: shown.text())
  }
}
