import ArgumentParser
import TimelineClocks
import TimelineControl

/// `timelinectl clock`: shows the daemon's clock, or changes the clock of a rehearsal.
struct ClockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock",
    abstract: "Show the daemon's clock, or change that of a rehearsal.",
    discussion: """
      A rehearsal is a daemon that was started with `timelined --clock scaled:N`. Only its clock can be changed. All timers of \
      the daemon follow at once; each change is in the log and in `watch`. A step or a leap leaves the clock running or paused as \
      it was.
      """,
    subcommands: [
      Show.self, Pause.self, Resume.self, ChangeSpeed.self, Step.self, Leap.self,
    ], defaultSubcommand: Show.self)

  @ParentCommand var root: Timelinectl

  /// `timelinectl clock show`, and `timelinectl clock` alone.
  struct Show: ClockVerb {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the time, the pace and the next entry.")

    @ParentCommand var parent: ClockCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var shown: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try show(Control.Clock()) }
  }

  /// `timelinectl clock pause`: stops a rehearsal's clock.
  struct Pause: ClockVerb {
    static let configuration = CommandConfiguration(
      commandName: "pause",
      abstract: "Stop the clock of a rehearsal; active runs go on, without a timeout.")

    @ParentCommand var parent: ClockCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var shown: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try show(Control.PauseClock()) }
  }

  /// `timelinectl clock resume`: resumes a rehearsal's clock.
  struct Resume: ClockVerb {
    static let configuration = CommandConfiguration(
      commandName: "resume", abstract: "Let the clock of a rehearsal go on at the pace that it had.")

    @ParentCommand var parent: ClockCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var shown: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try show(Control.ResumeClock()) }
  }

  /// `timelinectl clock speed`: changes the speed of a rehearsal.
  struct ChangeSpeed: ClockVerb {
    static let configuration = CommandConfiguration(
      commandName: "speed",
      abstract: "Let the clock of a rehearsal go on at another pace.",
      discussion: """
        60 is sixty times real pace, 1/2 half of it; 0 pauses the clock. With max the clock moves from deadline to deadline \
        while no run is active, and at real pace while one is, so that a run takes the time that it really takes.
        """)

    @ParentCommand var parent: ClockCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var shown: ZoneOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A number such as 60 or 0.5, a fraction such as 1/3, or max.", completion: .list(["max"]))
    var speed: String

    func validate() throws {
      if speed == "max" { return }
      do throws(SpeedError) {
        _ = try Speed(parsing: speed)
      } catch .outOfRange {
        throw ValidationError(
          "\(speed): expected a speed from 0 to \(Speed.limit), with at most nine digits after the point")
      } catch {
        throw ValidationError("\(speed): expected a speed such as 60, 0.5 or 1/3, 0 to pause, or max")
      }
    }

    func run() throws { try show(Control.SetClockSpeed(speed: speed)) }
  }

  /// `timelinectl clock step`: moves a rehearsal to its next entry.
  struct Step: ClockVerb {
    static let configuration = CommandConfiguration(
      commandName: "step",
      abstract: "Move the clock of a rehearsal to the next entry, which falls due.",
      discussion: """
        If the timeout or the end of the back-off of a run comes first, the clock goes there, and the next step goes on. Active \
        runs are not waited for. Exits 1 when nothing is to come.
        """)

    @ParentCommand var parent: ClockCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var shown: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws { try show(Control.StepClock()) }
  }

  /// `timelinectl clock leap`: moves a rehearsal to a moment.
  struct Leap: ClockVerb {
    static let configuration = CommandConfiguration(
      commandName: "leap",
      abstract: "Move the clock of a rehearsal ahead to a moment.",
      discussion: """
        A leap is like a suspend of the machine until then: entries in between are missed, and the `missed` policy of each job \
        decides about them; timeouts and back-offs do not count the time. A time of day is the next one, in the daemon's zone. \
        The clock does not go back. Exits 1 when the moment cannot be read or is not later than the clock.
        """)

    @ParentCommand var parent: ClockCommand
    @OptionGroup var daemon: DaemonConnection
    @OptionGroup var shown: ZoneOptions
    @OptionGroup var output: OutputOptions

    @Argument(
      help: ArgumentHelp(
        "`06:00`, `tomorrow 06:00`, `2027-03-28 06:00`, `in 2h` or RFC 3339. Blanks need no quotes.",
        valueName: "time"))
    var moment: [String]

    func run() throws { try show(Control.LeapClock(to: moment.joined(separator: " "))) }
  }
}
