import TimelineConfiguration
import TimelineControl
import TimelineLoading
import TimelineSystem

// The configuration as it is in effect.
extension ControlService {
  func configuration(_ call: VarlinkCall, _ connection: ControlConnection) {
    let daemon = daemon
    let isWanted = { [weak connection] in connection != nil }
    lister.list(daemon.jobs.loaded.configuration, overrides, isWanted: isWanted) {
      [weak connection] listing in
      guard let connection else { return }
      guard let listing else {
        return connection.fail(
          call, ControlError.replyFailed(method: call.method, reason: "no thread can be started").varlink)
      }
      guard call.wantsMore || listing.portions.count == 1 else {
        return connection.fail(call, ControlError.replyTooLong(method: call.method).varlink)
      }
      PagedReply(to: call, on: connection, of: daemon, count: listing.portions.count, portionCount: 1) {
        range in
        ConfigurationReply(
          path: daemon.options.configurationPath, tables: listing.portions[range].flatMap { $0 })
      }.begin()
    }
  }

  /// The settings in effect that differ from the files: they come from elsewhere, or a reload has changed them and they need a
  /// restart.
  private var overrides: [ConfigurationListing.Override] {
    let (options, now, start) = (daemon.options, daemon.jobs.settings, daemon.jobs.settingsAtStart)
    let untilRestart = "until the next restart"
    var overrides: [ConfigurationListing.Override] = []
    if !options.clock.isRehearsal {
      let path = options.stateDirectory(configured: start.stateDirectory)
      if options.statePath != nil || now.stateDirectory != path {
        let origin =
          options.statePath != nil
          ? "--state"
          : start.stateDirectory != nil
            ? untilRestart
            : CurrentProcess.environment["STATE_DIRECTORY"] != nil
              ? "$STATE_DIRECTORY" : ConfigurationListing.defaultOrigin
        overrides.append(.init("daemon", "state-directory", string: path, origin: origin))
      }
    }
    let given = options.installation.givenPluginDirectories
    if !given.isEmpty {
      overrides.append(
        .init(
          "daemon", "plugin-directories", strings: given + (now.pluginDirectories ?? []), origin: "--plugins")
      )
    }
    if now.hostCountMax != start.hostCountMax {
      overrides.append(
        .init("daemon", "plugin-hosts-max", number: start.hostCountMax, origin: untilRestart))
    }
    return overrides + socketOverrides(untilRestart)
  }

  private func socketOverrides(_ untilRestart: String) -> [ConfigurationListing.Override] {
    let (options, now, start) = (daemon.options, daemon.jobs.settings, daemon.jobs.settingsAtStart)
    if isPassed {
      return [
        .init("control", "socket", string: listener.path ?? path, origin: "systemd"),
        .init("control", "group", string: nil, origin: "systemd"),
      ]
    }
    let path = options.normalizedControlSocket(configured: start.control.socketPath)
    var overrides: [ConfigurationListing.Override] = []
    if options.controlPath != nil || now.control.socketPath != path {
      let origin =
        options.controlPath != nil
        ? "--control"
        : start.control.socketPath != nil
          ? untilRestart
          : CurrentProcess.environment["RUNTIME_DIRECTORY"] != nil
            ? "$RUNTIME_DIRECTORY" : ConfigurationListing.defaultOrigin
      overrides.append(.init("control", "socket", string: path, origin: origin))
    }
    if now.control.group != start.control.group {
      overrides.append(.init("control", "group", string: start.control.group, origin: untilRestart))
    }
    return overrides
  }
}
