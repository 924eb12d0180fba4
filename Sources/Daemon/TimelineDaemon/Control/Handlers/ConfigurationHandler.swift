import TimelineConfiguration
import TimelineControl
import TimelineLoading
import TimelineSystem

extension ReceivedCall<Control.Configuration> {
  /// Replies with the configuration in effect. A separate thread makes the list.
  func listConfiguration() {
    let daemon = daemon
    service.lister.list(
      daemon.jobs.loaded.configuration, service.overrides, isWanted: { connection != nil }
    ) { listing in
      guard let listing else {
        return fail(.replyFailed(method: call.method, reason: "no thread can be started"))
      }
      guard wantsMore || listing.portions.count == 1 else { return fail(.replyTooLong(method: call.method)) }
      replyInPages(of: listing.portions.count, pageCount: 1) { range in
        ConfigurationReply(
          path: daemon.options.configurationPath, tables: listing.portions[range].flatMap { $0 })
      }
    }
  }
}

extension ControlService {
  /// Settings in effect that differ from the files: settings from another source, and settings that were changed in the files but
  /// take effect only after a restart.
  fileprivate var overrides: [ConfigurationListing.Override] {
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
