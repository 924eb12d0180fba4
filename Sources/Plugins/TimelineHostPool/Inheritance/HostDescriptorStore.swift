/// Store of copies of descriptors for the next daemon, for example systemd's descriptor store.
///
/// The copies stay open when this daemon dies, so the host continues. Its messages wait in its socket for the daemon that
/// receives the copies.
package struct HostDescriptorStore {
  /// Stores copies of the descriptors under one name; returns whether that succeeded.
  package var keep: ([CInt], String) -> Bool
  /// Closes the copies stored under this name.
  package var forget: (String) -> Void

  package init(keep: @escaping ([CInt], String) -> Bool, forget: @escaping (String) -> Void) {
    self.keep = keep
    self.forget = forget
  }

  /// Number of descriptors stored for a host: its socket, its output pipe, the handle of its process, its record.
  package static let descriptorsPerHost = 4

  /// The name for the host with this process number. The process number is unique among running processes; a daemon's own
  /// count would start again in the next daemon.
  static func name(ofProcess number: Int32) -> String { namePrefix + String(number) }

  static let namePrefix = "host-"
}

/// A descriptor that an earlier daemon left in the store.
package struct KeptDescriptor: Sendable, Equatable {
  package var name: String
  /// The number of the descriptor. The receiver closes it.
  package var number: CInt

  package init(name: String, number: CInt) {
    self.name = name
    self.number = number
  }

  package var isOfHost: Bool { name.hasPrefix(HostDescriptorStore.namePrefix) }
}
