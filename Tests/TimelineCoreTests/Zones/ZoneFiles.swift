import Foundation
import TimelineCore

/// The compiled zones of this machine, from the package tzdata.
enum ZoneFiles {
  static let directory = "/usr/share/zoneinfo/"

  struct Missing: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(ZoneFiles.directory)\(name) cannot be read; install the package tzdata" }
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: directory + name) else { throw Missing(name: name) }
    return [UInt8](data)
  }

  static func zone(_ name: String) throws -> Zone { try Zone(name: name, tzif: bytes(name)) }

  /// Zones with something odd about them: half and quarter hours, Dublin's winter, skipped days and midnights,
  /// changes by 20 and 30 minutes, Ramadan, no changes, changes of everything but the offset.
  static let odd = [
    "Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun", "Africa/Johannesburg", "Africa/Juba",
    "Africa/Khartoum", "Africa/Lagos", "Africa/Monrovia", "Africa/Nairobi", "Africa/Sao_Tome",
    "Africa/Windhoek",
    "America/Adak", "America/Anchorage", "America/Argentina/San_Luis", "America/Asuncion", "America/Bogota",
    "America/Caracas", "America/Ciudad_Juarez", "America/Danmarkshavn", "America/Edmonton",
    "America/Guatemala",
    "America/Halifax", "America/Havana", "America/Los_Angeles", "America/Mexico_City", "America/Montevideo",
    "America/New_York", "America/Nuuk", "America/Phoenix", "America/Port-au-Prince", "America/Santiago",
    "America/Sao_Paulo", "America/Scoresbysund", "America/St_Johns", "America/Tijuana", "America/Vancouver",
    "Antarctica/Casey", "Antarctica/Macquarie", "Antarctica/Troll", "Asia/Almaty", "Asia/Amman",
    "Asia/Beirut",
    "Asia/Colombo", "Asia/Dhaka", "Asia/Famagusta", "Asia/Gaza", "Asia/Hebron", "Asia/Hong_Kong",
    "Asia/Jerusalem", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Manila", "Asia/Pyongyang", "Asia/Shanghai",
    "Asia/Tehran", "Asia/Tokyo", "Asia/Vladivostok", "Asia/Yangon", "Atlantic/Azores", "Australia/Adelaide",
    "Australia/Eucla", "Australia/Lord_Howe", "Australia/Sydney", "Europe/Berlin", "Europe/Chisinau",
    "Europe/Dublin", "Europe/Istanbul", "Europe/Lisbon", "Europe/London", "Europe/Moscow", "Europe/Volgograd",
    "Pacific/Apia", "Pacific/Auckland", "Pacific/Chatham", "Pacific/Easter", "Pacific/Fiji",
    "Pacific/Kiritimati",
    "Pacific/Kwajalein", "Pacific/Norfolk", "Pacific/Tongatapu", "Etc/GMT+12", "Etc/GMT-14", "UTC",
  ]
}

/// An instant in whole seconds, for tables.
func second(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

extension WallInstant {
  /// Whole seconds since the epoch, rounded towards it.
  var seconds: Int64 { nanosecondsSinceEpoch / 1_000_000_000 }
}
