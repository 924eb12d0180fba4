import Foundation
import Testing
import TimelineCore

/// A zone by the rules of this machine.
func zone(_ name: String) throws -> Zone {
  if name == "UTC" { return .utc }
  let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)")
  return try Zone(name: name, tzif: [UInt8](try #require(data, "install the package tzdata")))
}
