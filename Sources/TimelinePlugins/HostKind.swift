package import TimelineCore

/// What hosts are interchangeable by: runs of one kind may share a host, runs of two kinds never do.
package struct HostKind: Sendable, Hashable {
  /// The absolute path of the shared library that the host loads.
  package var pluginPath: String
  /// The user that the host becomes before it loads the plugin; `nil` to stay who the daemon is.
  package var user: String?
  /// What the host makes of itself before that: jobs with different limits never share a host.
  package var setup: HostSetup
  /// Whether there is a host at all, or the daemon calls the plugin itself.
  package var isolation: Isolation

  /// Names the hosts that load `pluginPath` as `user` within `setup`.
  package init(
    pluginPath: String, user: String? = nil, setup: HostSetup = HostSetup(), isolation: Isolation = .host
  ) {
    self.pluginPath = pluginPath
    self.user = user
    self.setup = setup
    self.isolation = isolation
  }
}

/// The number of a host, unique for the life of a ``HostPoolState``, ascending from 1; not a process id.
package struct HostID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number.
  package var number: UInt64

  /// Makes the name of host `number`.
  package init(number: UInt64) {
    self.number = number
  }

  /// The number in decimal.
  package var description: String { String(number) }

  /// Orders hosts by when they were asked for.
  package static func < (left: HostID, right: HostID) -> Bool { left.number < right.number }
}

/// The number of a question about a plugin, unique for the life of a ``HostPoolState``.
package struct InquiryID: Sendable, Hashable {
  /// The number.
  package var number: UInt64

  /// Makes the name of question `number`.
  package init(number: UInt64) {
    self.number = number
  }
}
