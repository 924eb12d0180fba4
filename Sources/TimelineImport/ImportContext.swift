import TimelineConfiguration

/// Facts of the machine that an import depends on.
package struct ImportContext: Sendable {
  /// Returns the home directory of a user; `nil` if there is no user with that name.
  package var home: @Sendable (String) -> String?
  /// Returns whether there is a directory at a path.
  package var isDirectory: @Sendable (String) -> Bool
  /// Whether there is a time zone of a name.
  package var isZone: @Sendable (String) -> Bool
  /// Names of time zones, for hints at the nearest spelling.
  package var zoneNames: @Sendable () -> [String]
  /// Name of the host, for specifiers of units.
  package var hostName: String

  /// Makes a context.
  package init(
    hostName: String, home: @escaping @Sendable (String) -> String?,
    isDirectory: @escaping @Sendable (String) -> Bool, isZone: @escaping @Sendable (String) -> Bool,
    zoneNames: @escaping @Sendable () -> [String]
  ) {
    (self.hostName, self.home, self.isDirectory) = (hostName, home, isDirectory)
    (self.isZone, self.zoneNames) = (isZone, zoneNames)
  }

  /// The remedy for a name that is no time zone: the zone that is meant, where it is known.
  func remedy(forZone name: String) -> String {
    let help = Spelling.zoneHelp(for: name, among: zoneNames())
    return help.isEmpty ? "`timedatectl list-timezones` has them all" : help.joined(separator: "; ")
  }
}
