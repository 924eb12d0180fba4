package import TimelineCore
import TimelineEngine

/// Limits of a configuration. The author of the files is trusted with the jobs, not with the memory of the daemon
/// that reads them: a wrong file must cause a diagnostic, never the end of the daemon.
package enum ConfigurationLimits {
  /// Bytes of one file: a hundred thousand jobs of three hundred bytes; a larger file is not a configuration.
  package static let fileByteCountMax = 32 << 20
  /// Files: a directory of jobs that holds more was not written by a person.
  package static let sourceCountMax = 1_000
  /// Bytes of all files together: they are held at once while they are held against one another, some eight times as large.
  package static let totalByteCountMax = 64 << 20
  /// Values of one file. A file of brackets and commas can take some 400 MB while it is parsed.
  package static let nodeCountMax = 1_200_000
  /// Bytes of one string: room for a script in a command, no room for data.
  package static let stringByteCountMax = 64 << 10
  /// Tables and arrays inside one another, each of which costs a frame of every recursive walk.
  package static let depthMax = 32
  /// Jobs in all files.
  package static let jobCountMax = 200_000
  /// Dates of one explicit schedule; they are all kept in memory.
  package static let explicitInstantCountMax = 10_000
  /// The shortest interval of a schedule: calling a plugin takes some tens of microseconds, so that with less
  /// than a millisecond a job would do little but be called.
  package static let intervalMin = ElapsedTime.milliseconds(1)
  /// The shortest interval at which `precision = "spin"` does something for every entry: the daemon spins for 100 deadlines in a
  /// second at most.
  static let spunIntervalMin = ElapsedTime.milliseconds(10)
  /// The longest length of time: a hundred years; beyond it sums with today's date leave the range of instants.
  package static let elapsedMax = ElapsedTime.days(36_525)
  /// Bytes of a job's description, which is printed in one line of a list.
  package static let summaryByteCountMax = 200
  /// Priorities run from the negative of this to it, so that a sum of a few never overflows anything.
  package static let priorityMax: Int64 = 1_000
  /// Attempts of one run: with doubling pauses nothing sensible comes near.
  package static let attemptCountMax: Int64 = 100
  /// Hosts at a time: each is a process of a few megabytes.
  package static let hostCountMax: Int64 = 4_096
  /// Runs of one job at a time: the bound that the engine has for `allow-all`.
  package static let concurrencyMax = Int64(EngineLimits.concurrentRunsMax)
  /// Waiting entries of one job: a hundred bytes each, and a job with more will not catch up before it is told of.
  package static let waitingCountMax: Int64 = 10_000
  /// Groups in all files: each start of a job looks its own up, and nobody keeps more in mind.
  package static let groupCountMax = 1_000
  /// Groups of one job: a run waits until there is room in all of them, which with many is never.
  package static let groupsPerJobMax = 16
  /// Runs of one group at a time; with more it holds nothing back.
  package static let groupLimitMax: Int64 = 1_000
  /// Failures that open an incident: the instant of each is kept, and written with each failure.
  package static let incidentFailureCountMax: Int64 = 100
  /// The shortest window of failures: entries follow one another in seconds at the least where each has a record.
  package static let incidentWindowMin = ElapsedTime.seconds(1)
  /// The shortest time between two reminders: each is a run, and a person reads it.
  package static let reminderIntervalMin = ElapsedTime.minutes(1)
  /// The shortest window of missed entries: a start of the daemon takes that long, so that with less every entry
  /// that it missed is too late already.
  package static let missedWindowMin = ElapsedTime.seconds(1)
  /// The shortest memory of the ledger: what went wrong before lunch must be there after it.
  package static let retentionMin = ElapsedTime.hours(1)
  /// Entries of one job in the ledger: a few hundred bytes each, so that a job cannot fill a disk.
  package static let entriesPerJobMax: Int64 = 1_000_000
  /// Wrong names for which the nearest right one is looked up; each is compared with all that there are.
  package static let nameHintCountMax = 50

  /// Bytes of memory of a host: with less than 16 MiB of address space no program starts, and a process has
  /// 128 TiB (47 bits) on x86-64.
  package static let memoryRange: ClosedRange<UInt64> = 16 << 20...128 << 40
  /// Bytes of address space below which a host is likely to fail before it has loaded its plugin.
  package static let comfortableMemory: UInt64 = 64 << 20
  /// The least processor time of a host: the kernel counts whole seconds (setrlimit(2)).
  package static let processorTimeMin = ElapsedTime.seconds(1)
  /// Open files of a host: its own few and those of a library, up to the kernel's `fs.nr_open`.
  package static let openFileCountRange: ClosedRange<Int64> = 16...1_048_576
  /// Processes of a user: the kernel numbers no more (`PID_MAX_LIMIT`).
  package static let processCountRange: ClosedRange<Int64> = 1...4_194_304
  /// Processor time of a run, in percent of one processor: of a period of 100 ms the kernel gives no less than 1 ms, and no machine has more
  /// than 8,192 processors (`NR_CPUS`).
  package static let processorPercentRange = 1...819_200
  /// Bytes of the name of a variable: longer ones are mistakes.
  package static let environmentNameByteCountMax = 255

  /// Entries that are looked at for the shortest time between two of them: enough for four days of hours.
  package static let gapEntryCountMax = 100
  /// Years ahead in which changes of the clocks are looked at for days without a run: two changes of each kind.
  static let changeYears = 2
  /// Days before its end at which a list of holidays is warned of: who looks at a configuration once a year learns of it in time.
  static let holidayDaysAhead = 365
  /// Years ahead of the last reading for which holidays that repeat are written out: more than passes between two reloads.
  static let holidayYearsAhead = 10
  /// Paths of crontabs: cron itself looks at three.
  package static let crontabPathCountMax = 100
  /// Jobs of all crontabs together: each is read on its own, and users write crontabs.
  package static let crontabJobCountMax = 5_000
  /// Lists of holidays in all files: one for each land of a union of lands.
  package static let holidayListCountMax = 100
  /// Tables `[[expect-schedule]]` of one file: each can take as long as all the rest of a check.
  package static let expectationCountMax = 1_000
  /// Entries of one day that can be expected: as many as the shortest interval allows.
  package static let entriesPerDayMax: Int64 = 86_400_000
  /// Enabled jobs that may fall due at one instant without a word: more than a handful want a machine to themselves.
  package static let crowdJobCountMax = 10
  /// Entries of each schedule that are searched for crowds.
  package static let crowdEntryCountMax = 100
  /// Entries that are searched in all, but for one of each schedule, so that ten thousand schedules take no longer than
  /// three hundred: a start waits for it.
  package static let crowdEntryTotalMax = 30_000
  /// Jobs that a message names; the others are counted.
  package static let namedJobCountMax = 5

  /// Bytes of a user's or group's name, LOGIN_NAME_MAX of Linux without the NUL.
  package static let accountNameByteCountMax = 255
  /// Bytes of the path of a socket, `sun_path` of Linux without the NUL.
  package static let socketPathByteCountMax = 107
  /// Diagnostics of one reading: nobody reads more, and each holds a copy of its line.
  package static let diagnosticCountMax = 1_000
  /// Scalars of a source line in a diagnostic; of a longer one the part around the caret is shown.
  package static let excerptScalarCountMax = 160
  /// Bytes of a word that is compared with the valid spellings; the comparison is quadratic.
  package static let spellingByteCountMax = 64
  /// Bytes of a plugin's parameter schema: larger ones describe something else than a table in a file.
  package static let schemaByteCountMax = 256 << 10
  /// Braces and brackets inside one another in a schema; each costs several frames of a recursive decoder.
  package static let schemaDepthMax = 64
  /// Schemas inside one schema, those counted again that `$ref` names more than once.
  static let schemaCountMax = 10_000
  /// Steps of all regular expressions in a schema, which takes some ten megabytes: `exec` has a few hundred.
  static let schemaPatternSizeMax = 100_000
}
