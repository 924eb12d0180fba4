import TimelineCore

/// The instant so many seconds after the epoch.
func t(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

/// The name, which must be valid.
func jobName(_ text: String) -> JobName {
  guard let name = JobName(text) else { preconditionFailure("\(text) is not a name") }
  return name
}
