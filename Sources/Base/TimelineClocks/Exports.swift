// One import is enough to use a clock: its instants are those of TimelineCore.
@_exported public import TimelineClockNames
@_exported public import TimelineCore
