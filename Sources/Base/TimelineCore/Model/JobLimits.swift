/// Limits of one job. A configuration that exceeds a limit is refused, so that no message of the daemon to a plugin
/// host exceeds it.
///
/// In bytes unless stated otherwise. The whole setup of a plugin host is in one message of 68 KiB; the sums below fit
/// into it.
package enum JobLimits {
  /// A path: Linux's PATH_MAX.
  package static let pathMax = 4_096
  /// Variables that a job adds to the environment; a count.
  package static let variablesMax = 256
  /// Names and values of the variables together: half of a message, so that three paths fit as well.
  package static let environmentMax = 32_768
  /// Files of variables of a job; a count.
  package static let environmentFilesMax = 8
  /// Paths of the files of variables together, each with its mark: they share a message with the environment and the
  /// names of credentials.
  package static let environmentFilePathsMax = 1_024
  /// One file of variables: settings, not data; the kernel accepts no more than 2 MiB of arguments and environment together.
  package static let environmentFileMax = 65_536
  /// Paths that a job may change; a count. Each is a rule that the kernel checks whenever a file is opened.
  package static let writablePathsMax = 32
  /// Writable paths together, each with its mark: they share a message with the rest.
  package static let writablePathsByteCountMax = 2_048
  /// Credentials of a job; a count. Each is a file of its own in memory.
  package static let credentialsMax = 32
  /// The names and paths of credentials together: they share a message with the environment.
  package static let credentialNamesMax = 16_384
  /// The contents of all credentials of a run, as systemd allows: keys and tokens, not data. Memory holds the copies
  /// of all active runs at the same time.
  package static let credentialBytesMax = 1_048_576
  /// A job's parameters in JSON: they share a message with a name only (TIMELINED_PARAMETERS_MAX).
  package static let parametersMax = 49_152
}
