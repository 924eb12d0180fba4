/// The statuses of a plugin host's process, from sysexits.h where it has a fitting one.
package enum HostExitStatus {
  /// It was asked to end.
  package static let success: Int32 = 0
  /// It could not start, or the plugin that it was to describe was refused.
  package static let failure: Int32 = 1
  /// Its command line was wrong.
  package static let usage: Int32 = 64
  /// The daemon sent something else than the wire allows.
  package static let protocolBroken: Int32 = 76
  /// The plugin has closed descriptors of the host, so that nothing can be reported over the socket. A number that programs hardly use.
  package static let descriptorsClosed: Int32 = 119
}
