internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// Landlock: kernel rules that restrict what this process and all that it starts may do to files.
package enum Landlock {
  /// A way to change files or directories. The raw values are the kernel's (LANDLOCK_ACCESS_FS_...).
  package struct Changes: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Opening a file to write.
    package static let write = Changes(rawValue: 1 << 1)
    /// Making and removing entries of a directory: directories, files, devices, sockets, pipes and symbolic links.
    package static let entries = Changes(rawValue: 0b1_1111_1111 << 4)
    /// Renaming and linking from one directory to another. Without this bit the kernel always denies both.
    package static let refer = Changes(rawValue: 1 << 13)
    /// Truncating a file.
    package static let truncate = Changes(rawValue: 1 << 14)
  }

  /// Returns the version of Landlock that the kernel has, from 1 on.
  package static func version() throws(SystemError) -> Int {
    Int(try SystemCall.check("landlock_create_ruleset", about: "Landlock") { timeline_landlock_version() })
  }

  /// Denies `changes` outside `places`, for this thread and what it starts, permanently.
  ///
  /// The error of a place has its path as the subject.
  package static func deny(_ changes: Changes, outside places: [ExpectedPath]) throws(SystemError) {
    let rules = FileDescriptor(
      owning: try SystemCall.check("landlock_create_ruleset", about: "Landlock") {
        timeline_landlock_create(changes.rawValue)
      })
    let (number, changesOfFiles) = (rules.rawValue, changes.intersection([.write, .truncate]))
    for place in places {
      do throws(SystemError) {
        try SystemCall.check("landlock_add_rule", about: place.path) {
          unsafe timeline_landlock_allow(number, place.path, changes.rawValue, changesOfFiles.rawValue)
        }
      } catch {
        guard place.mayBeMissing, error.isMissing else { throw error }
      }
    }
    try SystemCall.check("landlock_restrict_self", about: "Landlock") { timeline_landlock_enter(number) }
  }
}
