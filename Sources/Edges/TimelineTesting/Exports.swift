// One import is enough for a test, as in swift-clocks, which has all clocks in one module; instants are members of every
// clock.
@_exported public import TimelineClocks
@_exported public import TimelineCore
