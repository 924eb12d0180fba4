package import TimelineCore
import TimelineEngine

/// Limits of a configuration. The author of the files is trusted with the jobs, but not with the daemon's memory: a
/// wrong file must cause a diagnostic and never end the daemon.
package enum ConfigurationLimits {
  /// Bytes of one file: 100,000 jobs of 300 bytes. A larger file is not a configuration.
  package static let fileByteCountMax = 32 << 20
  /// Number of files. A directory of jobs with more files was not written by a person.
  package static let sourceCountMax = 1_000
  /// Bytes of all files together. All files are in memory while they are checked against each other, and take about
  /// eight times their size.
  package static let totalByteCountMax = 64 << 20
  /// Number of values in one file. A file of brackets and commas can take about 400 MB while it is parsed.
  package static let nodeCountMax = 1_200_000
  /// Bytes of one string: enough for a script in a command, but not for data.
  package static let stringByteCountMax = 64 << 10
  /// Nesting of tables and arrays. Each level costs a stack frame of every recursive function.
  package static let depthMax = 32
  /// Number of jobs in all files.
  package static let jobCountMax = 200_000
  /// Dates of one explicit schedule. All dates are kept in memory.
  package static let explicitInstantCountMax = 10_000
  /// The shortest interval of a schedule. A plugin call takes some tens of microseconds, a large part of a shorter
  /// interval.
  package static let intervalMin = ElapsedTime.milliseconds(1)
  /// The shortest interval at which `precision = "spin"` has an effect on every entry, because the daemon spins for at most
  /// 100 deadlines per second.
  static let spunIntervalMin = ElapsedTime.milliseconds(10)
  /// The longest duration: a hundred years. Today's date plus a longer duration may be outside the range of instants.
  package static let elapsedMax = ElapsedTime.days(36_525)
  /// Bytes of a job's description, which a list prints in one line.
  package static let summaryByteCountMax = 200
  /// Largest priority; the smallest is its negative. The sum of several priorities never overflows.
  package static let priorityMax: Int64 = 1_000
  /// Attempts of one run. With a doubling back-off, no useful policy comes near this number.
  package static let attemptCountMax: Int64 = 100
  /// Plugin hosts at a time. Each is a process of a few MB.
  package static let hostCountMax: Int64 = 4_096
  /// Runs of one job at a time: the engine's limit for `allow-all`.
  package static let concurrencyMax = Int64(EngineLimits.concurrentRunsMax)
  /// Waiting entries of one job, 100 bytes each. A backlog this long is reported long before it can be caught up.
  package static let waitingCountMax: Int64 = 10_000
  /// Groups in all files. Each start of a job looks up its groups, and an operator cannot oversee more groups.
  package static let groupCountMax = 1_000
  /// Groups of one job. A run waits for room in all groups of its job; with many groups, it may wait forever.
  package static let groupsPerJobMax = 16
  /// Runs of one group at a time: far more than the default number of plugin hosts, 64.
  package static let groupLimitMax: Int64 = 1_000
  /// Failures that open an incident. The instants of all these failures are stored, and written at each failure.
  package static let incidentFailureCountMax: Int64 = 100
  /// The shortest window of failures. A shorter window would rarely contain two failures.
  package static let incidentWindowMin = ElapsedTime.seconds(1)
  /// The shortest time between two reminders. Each reminder is a run, and a person reads it.
  package static let reminderIntervalMin = ElapsedTime.minutes(1)
  /// The shortest window of missed entries. The daemon's start takes about this long, so with a shorter window all
  /// entries missed during the start would be too late.
  package static let missedWindowMin = ElapsedTime.seconds(1)
  /// The shortest retention of the ledger: a failure is still recorded an hour later.
  package static let retentionMin = ElapsedTime.hours(1)
  /// Entries of one job in the ledger, a few hundred bytes each. The limit keeps one job from filling a disk.
  package static let entriesPerJobMax: Int64 = 1_000_000
  /// Wrong names for which the nearest valid name is searched. Each search compares the name with all valid names.
  package static let nameHintCountMax = 50

  /// Bytes of memory of a host. With less than 16 MiB of address space no program starts; the address space of a process on
  /// x86-64 is 128 TiB (47 bits).
  package static let memoryRange: ClosedRange<UInt64> = 16 << 20...128 << 40
  /// Bytes of address space below which a host will probably fail before it has loaded its plugin.
  package static let comfortableMemory: UInt64 = 64 << 20
  /// The least processor time of a host, because the kernel counts whole seconds (setrlimit(2)).
  package static let processorTimeMin = ElapsedTime.seconds(1)
  /// Open files of a host. Minimum: the files of the host and a library. Maximum: the kernel's `fs.nr_open`.
  package static let openFileCountRange: ClosedRange<Int64> = 16...1_048_576
  /// Processes of a user, up to the kernel's largest process number (`PID_MAX_LIMIT`).
  package static let processCountRange: ClosedRange<Int64> = 1...4_194_304
  /// Processor time of a run, in percent of one processor. The kernel grants at least 1 ms in a period of 100 ms, and no
  /// machine has more than 8,192 processors (`NR_CPUS`).
  package static let processorPercentRange = 1...819_200
  /// Bytes of the name of a variable. A longer name is a mistake.
  package static let environmentNameByteCountMax = 255

  /// Entries searched for the shortest gap between two entries: enough for four days of hourly entries.
  package static let gapEntryCountMax = 100
  /// Years ahead in which clock changes are searched for days without a run: two changes of each kind.
  static let changeYears = 2
  /// Days before the end of a holiday list at which its warning begins: in time for an operator who looks once a
  /// year.
  static let holidayDaysAhead = 365
  /// Years after the last reading for which repeated holidays are computed: longer than the time between two reloads.
  static let holidayYearsAhead = 10
  /// Number of paths of crontabs. cron itself reads three.
  package static let crontabPathCountMax = 100
  /// Jobs of all crontabs together. Each job is parsed as a text of its own, and all users can write crontabs.
  package static let crontabJobCountMax = 5_000
  /// Holiday lists in all files: for example one for each state of a federation.
  package static let holidayListCountMax = 100
  /// Tables `[[expect-schedule]]` in one file. Each table can take as long as the rest of a check.
  package static let expectationCountMax = 1_000
  /// Entries of one day that can be expected: the number that the shortest interval allows.
  package static let entriesPerDayMax: Int64 = 86_400_000
  /// Enabled jobs that may fall due at one instant without a warning. More jobs may overload the machine at that
  /// instant.
  package static let crowdJobCountMax = 10
  /// Entries of each schedule searched for instants with too many jobs.
  package static let crowdEntryCountMax = 100
  /// Entries searched in total, with at least one of each schedule. The daemon's start waits for the search, so the
  /// search in 10,000 schedules takes no longer than in 300 schedules.
  package static let crowdEntryTotalMax = 30_000
  /// Jobs that a message names. Further jobs are counted.
  package static let namedJobCountMax = 5

  /// Bytes of a user's or group's name: LOGIN_NAME_MAX of Linux without the NUL.
  package static let accountNameByteCountMax = 255
  /// Bytes of the path of a socket: `sun_path` of Linux without the NUL.
  package static let socketPathByteCountMax = 107
  /// Diagnostics of one reading. More diagnostics are of no use to a reader, and each has a copy of its line.
  package static let diagnosticCountMax = 1_000
  /// Scalars of a source line in a diagnostic. Of a longer line only the part around the caret is shown.
  package static let excerptScalarCountMax = 160
  /// Bytes of a word that is compared with the valid spellings. The comparison takes quadratic time.
  package static let spellingByteCountMax = 64
  /// Bytes of a plugin's parameter schema. A larger schema does not describe a table in a file.
  package static let schemaByteCountMax = 256 << 10
  /// Nesting of braces and brackets in a schema. Each level costs several stack frames of a recursive decoder.
  package static let schemaDepthMax = 64
  /// Subschemas of a schema. A subschema is counted again for each `$ref` to it.
  static let schemaCountMax = 10_000
  /// Steps of all regular expressions in a schema; they take about 10 MB. The schema of `exec` has a few hundred steps.
  static let schemaPatternSizeMax = 100_000
}
