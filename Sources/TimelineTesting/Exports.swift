// One import is enough for a test: the library whose names these are has all clocks in one module, and instants are
// members of every clock.
@_exported public import TimelineClocks
@_exported public import TimelineCore
