package import TimelineCore

/// What a configuration may hold at most. Who writes the files is trusted with the jobs, not with the memory of
/// the daemon that reads them: a wrong file must be a diagnostic, never a daemon that died.
package enum Limits {
  /// Bytes of one file: ten thousand jobs of a hundred bytes; a larger file is not a configuration.
  package static let fileByteCountMax = 1 << 20
  /// Files: a folder of jobs that holds more was not written by a person.
  package static let sourceCountMax = 1_000
  /// Values of one file, which bounds the memory that a file of brackets and commas can take to some 20 MB.
  package static let nodeCountMax = 100_000
  /// Bytes of one string: room for a script in a command, no room for data.
  package static let stringByteCountMax = 64 << 10
  /// Tables and arrays inside one another, each of which costs a frame of every recursive walk.
  package static let depthMax = 32
  /// Jobs in all files.
  package static let jobCountMax = 10_000
  /// Dates of one explicit schedule; they are all kept in memory.
  package static let explicitInstantCountMax = 10_000
  /// The shortest interval of a schedule: calling a plugin takes some tens of microseconds, so that with less
  /// than a millisecond a job would do little but be called.
  package static let intervalMin = ElapsedTime.milliseconds(1)
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
}
