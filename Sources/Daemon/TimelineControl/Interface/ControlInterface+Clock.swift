extension ControlInterface {
  /// Methods about the clock and the mode.
  static let clockMethods = """
    # The daemon's clock. The five methods after this one change the clock of a rehearsal; timers follow at once.
    # On the system's clock they are answered with NotRehearsing.
    method Clock() -> (
      # State of the clock.
      state: ClockState
    )

    # Stops the clock: no entry falls due, and no timeout runs. Active runs go on.
    method PauseClock() -> (
      # State of the clock after that.
      state: ClockState
    )

    # Lets the clock go on at its former pace.
    method ResumeClock() -> (
      # State of the clock after that.
      state: ClockState
    )

    # Lets the clock go on at another pace. A text that is not a speed is answered with BadSpeed.
    method SetClockSpeed(
      # A multiple of real pace, such as "60", "0.5" or "1/3"; "0" pauses the clock. "max" is from deadline to
      # deadline while no run is active, and real pace while one is.
      speed: string
    ) -> (
      # State of the clock after that.
      state: ClockState
    )

    # Moves the clock to the next deadline: an entry of any job or, if that is earlier, the timeout of a run or
    # the end of its back-off. A paused clock stays paused. Without a deadline it is answered with NothingToCome.
    method StepClock() -> (
      # State of the clock after that; reached is absent if the deadline was that of a run.
      state: ClockState
    )

    # Moves the clock to a moment, as if the machine had been suspended until then: entries in between are missed.
    method LeapClock(
      # The moment, in the zone of the daemon; a time of day is its next occurrence. A moment that is not later
      # than the clock is answered with BadMoment.
      to: string
    ) -> (
      # State of the clock after that.
      state: ClockState
    )

    # The daemon's mode and cadence, and their cause.
    method Mode() -> (
      # State of the mode.
      state: ModeState
    )

    # Chooses the daemon's mode. The choice lasts beyond the daemon's end.
    method SetMode(
      # normal, low-frequency, or auto for the mode by the configuration.
      mode: string,
      # Cadence of low-frequency mode, seconds or minutes; allowed only with
      # that mode. Absent for the configuration's.
      cadence: ?string
    ) -> (
      # State of the mode after that.
      state: ModeState
    )
    """
}
