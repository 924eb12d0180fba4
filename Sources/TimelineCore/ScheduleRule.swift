/// Any of the rules that a job can have, stored by kind so that the engine's path needs no existential.
public enum ScheduleRule: Sendable, Hashable {
  /// From a start by an interval.
  case periodic(PeriodicSchedule)
  /// As often as asked, a run at a time.
  case animation(AnimationSchedule)
  /// At given instants.
  case explicit(ExplicitSchedule)
  /// At every civil minute of a zone.
  case everyMinute(EveryMinuteSchedule)
}
