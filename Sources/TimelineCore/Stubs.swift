public struct PeriodicSchedule: Sendable, Hashable {}
public struct AnimationSchedule: Sendable, Hashable {}
public struct ExplicitSchedule: Sendable, Hashable {}
public struct EveryMinuteSchedule: Sendable, Hashable {}
