/// A schedule in a form that other programs can read, such as monitoring services.
package enum PortableSchedule: Sendable, Hashable {
  /// Five fields as in crontab(5), read in the zone with that IANA name.
  case cron(String, zone: String)
  /// A rule of systemd.time(7), read in the zone with that IANA name.
  case calendar(String, zone: String)
  /// The whole seconds from one entry to the next.
  case period(seconds: Int64)

  /// The longest rule that is exported, in bytes: it shares a message with other facts.
  package static let lengthMax = 512
}
