/// Limits of one job. A configuration that asks for more is refused, and no message of the daemon to a plugin host
/// has more.
///
/// In bytes unless stated otherwise. All of a plugin host's setup goes in one message of 68 KiB; the sums below leave
/// space in it.
package enum JobLimits {
  /// A path: Linux's PATH_MAX.
  package static let pathMax = 4_096
  /// Variables that a job adds to the environment; a count.
  package static let variablesMax = 256
  /// Their names and values in all: half of a message, so that three paths have room beside them.
  package static let environmentMax = 32_768
  /// Files of variables of a job; a count.
  package static let environmentFilesMax = 8
  /// Their paths in all, each with its mark: a message must hold them beside the environment and the names of credentials.
  package static let environmentFilePathsMax = 1_024
  /// One file of variables: settings, not data; the kernel takes no more than 2 MiB of arguments and environment together.
  package static let environmentFileMax = 65_536
  /// Paths that a job may change; a count. Each is a rule that the kernel walks through at every opening of a file.
  package static let writablePathsMax = 32
  /// These paths in all, each with its mark: a message must hold them beside the rest.
  package static let writablePathsByteCountMax = 2_048
  /// Credentials of a job; a count. Each is a file of its own in memory.
  package static let credentialsMax = 32
  /// The names and paths of credentials in all: a message must hold them beside the environment.
  package static let credentialNamesMax = 16_384
  /// The contents of all credentials of a run, as systemd allows: keys and tokens, not data. The copies of all active runs are in memory
  /// at a time.
  package static let credentialBytesMax = 1_048_576
  /// A job's parameters in JSON: beside them a message must hold nothing but a name (TIMELINED_PARAMETERS_MAX).
  package static let parametersMax = 49_152
}
