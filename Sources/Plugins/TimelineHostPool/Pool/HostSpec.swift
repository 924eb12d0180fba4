package import TimelineCore

/// Specification of a plugin host: library, user, setup and isolation. Runs with equal specifications may share a plugin host.
///
/// The value is compared and copied many times per run and rarely changed. So its parts are stored once and shared by
/// copies.
package struct HostSpec: Sendable, Hashable {
  private struct Parts: Sendable, Hashable {
    var pluginPath: String
    var user: String?
    var setup: HostSetup
    var isolation: Isolation
  }

  private final class Place: Sendable {
    let parts: Parts
    let hash: Int

    init(_ parts: Parts) {
      self.parts = parts
      hash = parts.hashValue
    }
  }

  private var place: Place

  package init(
    pluginPath: String, user: String? = nil, setup: HostSetup = HostSetup(), isolation: Isolation = .host
  ) {
    place = Place(Parts(pluginPath: pluginPath, user: user, setup: setup, isolation: isolation))
  }

  /// The absolute path of the shared library that the host loads.
  package var pluginPath: String {
    get { place.parts.pluginPath }
    set { change { $0.pluginPath = newValue } }
  }
  /// The user that the host becomes before it loads the plugin; `nil` for the daemon's own user.
  package var user: String? {
    get { place.parts.user }
    set { change { $0.user = newValue } }
  }
  /// The limits and other settings that the host applies to itself before it loads the plugin. Jobs with different settings
  /// never share a host.
  package var setup: HostSetup {
    get { place.parts.setup }
    set { change { $0.setup = newValue } }
  }
  /// Whether a host calls the plugin, or the daemon itself.
  package var isolation: Isolation {
    get { place.parts.isolation }
    set { change { $0.isolation = newValue } }
  }

  /// Whether each run has a host of its own. True for a job with credentials or environment files, because the host reads
  /// them only at its start, and with a limit of processor time, because the kernel counts from the start of the process.
  package var servesOneRun: Bool {
    let setup = place.parts.setup
    return !setup.credentials.isEmpty || !setup.environmentFiles.isEmpty || setup.processorTime != nil
  }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = place.parts
    body(&parts)
    place = Place(parts)
  }

  /// Whether runs with the specifications `left` and `right` may share a host.
  package static func == (left: HostSpec, right: HostSpec) -> Bool {
    left.place === right.place
      || (left.place.hash == right.place.hash && left.place.parts == right.place.parts)
  }

  /// Feeds the stored hash of the parts.
  package func hash(into hasher: inout Hasher) { hasher.combine(place.hash) }
}

/// The number of a host, unique for the life of a ``HostPoolState``, ascending from 1; not a process id.
package struct HostID: Sendable, Hashable, Comparable, CustomStringConvertible {
  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }

  package var description: String { String(number) }

  /// Orders hosts by the order in which they were started.
  package static func < (left: HostID, right: HostID) -> Bool { left.number < right.number }
}

/// The number of an inquiry about a plugin, unique for the life of a ``HostPoolState``.
package struct InquiryID: Sendable, Hashable {
  package var number: UInt64

  package init(number: UInt64) {
    self.number = number
  }
}
