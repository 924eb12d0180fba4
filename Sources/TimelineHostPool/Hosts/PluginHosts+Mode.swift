package import TimelineCore

// The daemon's mode.
extension PluginHosts {
  /// Tells active runs that the daemon's mode or cadence has changed; not those in the daemon's own process, nor those that an earlier
  /// daemon began.
  package func tell(_ mode: CurrentMode) {
    for host in hosts.values { host.tell(mode) }
  }
}
