import TimelineClocks
import TimelineCore
package import TimelineLoading
import TimelineSystem

/// Options from the daemon's command line, checked, with every default filled in.
package struct DaemonOptions: Sendable {
  /// The version of the programs.
  package static let version = Installation.version

  /// Clocks that the daemon can run by.
  enum Clock: Sendable {
    /// The system's wall clock.
    case system
    /// A clock of its own: a rehearsal. Without a pace it begins paused, without an instant now.
    case scaled(RehearsalTime.Pace?, from: WallInstant?)

    /// Whether it is not the system's.
    var isRehearsal: Bool {
      if case .system = self { return false }
      return true
    }
  }

  /// The main configuration file.
  package var configurationPath: String
  /// The normalized path of ``configurationPath``, for clients in other directories.
  let normalizedConfigurationPath: String
  /// The ledger's directory, a normalized path; `nil` to take the configuration's, or else the default.
  package var statePath: String?
  /// The control socket as it was given, which may fit into a socket's address where the absolute path does not; `nil` to take the
  /// configuration's, or else the default.
  package var controlPath: String?
  /// The normalized path of ``controlPath``.
  let normalizedControlPath: String?
  /// The first directories of `$STATE_DIRECTORY` and `$RUNTIME_DIRECTORY` of systemd.exec(5), normalized paths.
  private let serviceDirectories: (state: String?, runtime: String?)
  /// Paths of the host program and of the bundled plugins.
  package var installation: Installation
  /// The clock that the daemon runs by.
  var clock: Clock
  /// A file with the clock's offset from the system's; `nil` for no offset.
  package var clockOffsetPath: String?
  /// Precedes the kernel's paths from which the state of the machine is read; empty but for tests.
  package var machineRoot = ""

  /// Takes the words of the command line.
  ///
  /// - Parameters:
  ///   - clock: `system`, or `scaled:N` with a pace or 0.
  ///   - from: A moment, without a zone in the machine's; only with a scaled clock.
  ///   - clockOffsetPath: A file that holds a length of time, only with the system's clock.
  package init(
    configurationPath: String, statePath: String?, controlPath: String?, pluginDirectories: String?,
    hostPath: String?, clock: String, from: String?, clockOffsetPath: String? = nil
  ) throws(OptionError) {
    for (option, path) in [
      ("--config", configurationPath), ("--state", statePath), ("--control", controlPath),
      ("--host", hostPath),
      ("--clock-offset-file", clockOffsetPath),
    ] where path?.isEmpty == true {
      // As the path of a directory it would be the current one.
      throw OptionError("\(option): the path is empty: name one, or leave the option out")
    }
    self.configurationPath = configurationPath
    // Once, before there is an event loop: a directory on the way may be on a disk that does not answer.
    normalizedConfigurationPath = CurrentProcess.normalizedPath(configurationPath)
    self.statePath = statePath.map(CurrentProcess.normalizedPath)
    self.controlPath = controlPath
    normalizedControlPath = controlPath.map(CurrentProcess.normalizedPath)
    serviceDirectories = (Self.firstPath("STATE_DIRECTORY"), Self.firstPath("RUNTIME_DIRECTORY"))
    if let fault = Installation.pluginDirectoryFault(in: pluginDirectories) {
      throw OptionError(
        "--plugins \(fault): correct it, or put - before a path that may be missing, as in --plugins=-/path")
    }
    installation = Installation(hostPath: hostPath, pluginDirectories: pluginDirectories)
    self.clock = try Self.clock(clock, from: from)
    self.clockOffsetPath = clockOffsetPath
    if clockOffsetPath != nil, self.clock.isRehearsal {
      throw OptionError("--clock-offset-file is for the system's clock; a scaled one begins at --from")
    }
  }

  private static func clock(_ text: String, from: String?) throws(OptionError) -> Clock {
    if text == "system" {
      if from != nil { throw OptionError("--from needs a clock of its own; add --clock scaled:1") }
      return .system
    }
    let unknown = OptionError(
      "--clock \(text): expected 'system' or 'scaled:N' with a speed such as 60, 0.5 or 1/2, max, or 0 to start paused"
    )
    guard text.hasPrefix("scaled:") else { throw unknown }
    let pace: RehearsalTime.Pace?
    do throws(SpeedError) { pace = try RehearsalTime.Pace(parsing: String(text.dropFirst(7))) } catch {
      throw unknown
    }
    guard let from else { return .scaled(pace, from: nil) }
    if let instant = try? WallInstant(rfc3339: from) { return .scaled(pace, from: instant) }
    do {
      let moment = try Moment(parsing: from, now: SystemTime.now(), in: ZoneCatalog().machineZone)
      return .scaled(pace, from: moment.start)
    } catch {
      throw OptionError("--from \(from): \(error)")
    }
  }

  /// The state directory: the command line, the configuration, `$STATE_DIRECTORY` of systemd.exec(5), the default.
  ///
  /// An option that somebody wrote comes before a variable that the unit always sets.
  func stateDirectory(configured: String?) -> String {
    statePath ?? configured ?? serviceDirectories.state ?? "/var/lib/timelined"
  }

  /// The directory of the ledger, which is the state directory; `nil` for a rehearsal, whose ledger is in memory.
  func ledgerDirectory(configured: String?) -> String? {
    clock.isRehearsal ? nil : stateDirectory(configured: configured)
  }

  /// The control socket: the command line, the configuration, `$RUNTIME_DIRECTORY` of systemd.exec(5), the default.
  ///
  /// A rehearsal never takes the real daemon's place.
  func controlSocket(configured: String?) -> String {
    if let controlPath { return controlPath }
    if clock.isRehearsal { return "/tmp/timelined-rehearsal-\(CurrentProcess.pid).sock" }
    return configured ?? serviceDirectories.runtime.map { $0 + "/control.sock" }
      ?? "/run/timelined/control.sock"
  }

  /// The normalized path of the control socket, as a configuration may name it.
  func normalizedControlSocket(configured: String?) -> String {
    normalizedControlPath ?? controlSocket(configured: configured)
  }

  /// systemd separates several directories by colons.
  private static func firstPath(_ variable: String) -> String? {
    CurrentProcess.environment[variable]?.split(separator: ":").first.map {
      CurrentProcess.normalizedPath(String($0))
    }
  }
}

/// Reason why the command line is not accepted: a sentence with what was expected.
package struct OptionError: Error, Sendable, CustomStringConvertible {
  /// The sentence.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
