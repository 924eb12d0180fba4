import TimelineCore

/// The instant so many seconds after the epoch.
func t(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }
