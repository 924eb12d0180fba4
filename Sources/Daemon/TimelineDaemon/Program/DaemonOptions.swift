import TimelineClocks
import TimelineCore
package import TimelineLoading
import TimelineSystem

/// Options from the daemon's command line, checked, with every default filled in.
package struct DaemonOptions: Sendable {
  package static let version = Installation.version

  /// Clocks that the daemon can run by.
  enum Clock: Sendable {
    case system
    /// The clock of a rehearsal. Without a pace the clock begins paused; without an instant it begins at the present time.
    case scaled(RehearsalTime.Pace?, from: WallInstant?)

    var isRehearsal: Bool {
      if case .system = self { return false }
      return true
    }
  }

  package var configurationPath: String
  /// The normalized path of ``configurationPath``, for clients in other directories.
  let normalizedConfigurationPath: String
  /// The ledger's directory, a normalized path; `nil` for the configuration's directory or, if it names none, the default.
  package var statePath: String?
  /// The control socket's path as on the command line, because a relative path may fit into a socket's address if the absolute
  /// path does not; `nil` for the configuration's path or, if it names none, the default.
  package var controlPath: String?
  let normalizedControlPath: String?
  /// The first directories of `$STATE_DIRECTORY` and `$RUNTIME_DIRECTORY` of systemd.exec(5), normalized paths.
  private let serviceDirectories: (state: String?, runtime: String?)
  /// Paths of the host program and of the bundled plugins.
  package var installation: Installation
  var clock: Clock
  /// A file with the clock's offset from the system's; `nil` for no offset.
  package var clockOffsetPath: String?
  /// Prefix of the kernel's paths from which the state of the machine is read; empty except in tests.
  package var machineRoot = ""

  /// Makes options from the arguments of the command line.
  ///
  /// - Parameters:
  ///   - clock: `system`, or `scaled:N` with a pace or 0.
  ///   - from: A moment, in the machine's zone if it names no zone; only with a scaled clock.
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
      // An empty path of a directory would be the current directory.
      throw OptionError("\(option): the path is empty: name one, or leave the option out")
    }
    self.configurationPath = configurationPath
    // Normalized once, before there is an event loop, because a directory of the path may be on a disk that does not answer.
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

  /// Returns the state directory, from the first of: the command line, the configuration, `$STATE_DIRECTORY` of systemd.exec(5),
  /// the default.
  ///
  /// The option and the configuration come before the variable, because the unit always sets the variable.
  func stateDirectory(configured: String?) -> String {
    statePath ?? configured ?? serviceDirectories.state ?? "/var/lib/timelined"
  }

  /// Returns the directory of the ledger, which is the state directory; `nil` for a rehearsal, whose ledger is in memory.
  func ledgerDirectory(configured: String?) -> String? {
    clock.isRehearsal ? nil : stateDirectory(configured: configured)
  }

  /// Returns the path of the control socket, from the first of: the command line, the configuration, `$RUNTIME_DIRECTORY` of
  /// systemd.exec(5), the default.
  ///
  /// A rehearsal never uses the real daemon's path.
  func controlSocket(configured: String?) -> String {
    if let controlPath { return controlPath }
    if clock.isRehearsal { return "/tmp/timelined-rehearsal-\(CurrentProcess.pid).sock" }
    return configured ?? serviceDirectories.runtime.map { $0 + "/control.sock" }
      ?? "/run/timelined/control.sock"
  }

  /// Returns the path of the control socket in the form of a configuration's path: a path from the command line is normalized.
  func normalizedControlSocket(configured: String?) -> String {
    normalizedControlPath ?? controlSocket(configured: configured)
  }

  /// Returns the first directory of a variable, in which systemd separates several directories by colons.
  private static func firstPath(_ variable: String) -> String? {
    CurrentProcess.environment[variable]?.split(separator: ":").first.map {
      CurrentProcess.normalizedPath(String($0))
    }
  }
}

/// Error in the command line, as a sentence with the expected form.
package struct OptionError: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
