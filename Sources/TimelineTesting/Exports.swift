// One import is enough for a test: the library whose names these are has all clocks in one module.
@_exported public import TimelineClocks
