package import TimelineCore

// The daemon's mode.
extension PluginHosts {
  /// Sends the daemon's new mode or cadence to active runs, except in-process runs and runs that an earlier daemon began.
  package func tell(_ mode: CurrentMode) {
    for host in hosts.values { host.tell(mode) }
  }
}
