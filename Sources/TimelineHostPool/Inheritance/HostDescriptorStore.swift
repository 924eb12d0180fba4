/// Keeper of copies of descriptors for the next daemon, for example systemd's descriptor store.
///
/// The copies stay open when this daemon dies, so a host does not notice that. Its messages wait in its socket for the
/// daemon that gets the copies.
package struct HostDescriptorStore {
  /// Keeps copies of all of these under one name; whether it does.
  package var keep: ([CInt], String) -> Bool
  /// Closes its copies under this name.
  package var forget: (String) -> Void

  /// Makes a keeper of two calls.
  package init(keep: @escaping ([CInt], String) -> Bool, forget: @escaping (String) -> Void) {
    self.keep = keep
    self.forget = forget
  }

  /// Number of descriptors kept of a host: its socket, the pipe it writes to, the handle of its process, its record.
  package static let descriptorsPerHost = 4

  /// The name for the host of this process. Process numbers, unlike a daemon's own count, are not given twice at a time.
  static func name(ofProcess number: Int32) -> String { namePrefix + String(number) }

  static let namePrefix = "host-"
}

/// A descriptor that an earlier daemon left with its keeper.
package struct KeptDescriptor: Sendable, Hashable {
  /// The name under which it was kept.
  package var name: String
  /// Its number; whoever takes it closes it.
  package var number: CInt

  /// Makes a descriptor of a name and a number.
  package init(name: String, number: CInt) {
    self.name = name
    self.number = number
  }

  /// Whether it belongs to a host.
  package var isOfHost: Bool { name.hasPrefix(HostDescriptorStore.namePrefix) }
}
