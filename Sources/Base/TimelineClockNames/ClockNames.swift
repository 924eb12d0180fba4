public import TimelineCore

/// The name of a clock in expressions that do not need the clock's type: `TestClock.Instant()`.
///
/// `TestClock` and `ImmediateClock` are generic, so that `TestClock<Duration>` can be written. The compiler would not
/// infer the parameter from a member type that does not depend on it. A value of the same name, in a module that
/// the clocks' modules export, needs no parameter; everywhere else the compiler takes the type.
public struct ClockName: Sendable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Makes an instant that lies `offset` after the Unix epoch, as `WallInstant(offset:)` of `TimelineClocks` does.
  public func Instant(offset: Duration = .zero) -> WallInstant {
    WallInstant.epoch.advanced(by: offset)
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of the clock that never waits, in expressions.
public let ImmediateClock = ClockName()

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of the clock for tests, in expressions.
public let TestClock = ClockName()
