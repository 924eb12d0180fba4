import TimelineConfiguration

/// Facts of the machine that an import depends on.
package struct ImportContext: Sendable {
  /// Returns the home directory of a user; `nil` if the user does not exist.
  package var home: @Sendable (String) -> String?
  /// Returns whether a path is a directory.
  package var isDirectory: @Sendable (String) -> Bool
  /// Returns whether a time zone exists.
  package var isZone: @Sendable (String) -> Bool
  /// Returns the names of time zones, for spelling hints.
  package var zoneNames: @Sendable () -> [String]
  /// For specifiers of units.
  package var hostName: String

  package init(
    hostName: String, home: @escaping @Sendable (String) -> String?,
    isDirectory: @escaping @Sendable (String) -> Bool, isZone: @escaping @Sendable (String) -> Bool,
    zoneNames: @escaping @Sendable () -> [String]
  ) {
    (self.hostName, self.home, self.isDirectory) = (hostName, home, isDirectory)
    (self.isZone, self.zoneNames) = (isZone, zoneNames)
  }

  /// Returns the remedy for a wrong name of a time zone: the intended zone, if it is known.
  func remedy(forZone name: String) -> String {
    let help = Spelling.zoneHelp(for: name, among: zoneNames())
    return help.isEmpty ? "`timedatectl list-timezones` has them all" : help.joined(separator: "; ")
  }
}
