/// The exit statuses of a plugin host. They are from sysexits.h if it has a fitting status.
package enum HostExitStatus {
  /// The host was asked to end.
  package static let success: Int32 = 0
  /// The host could not start, or the plugin that it was to describe was refused.
  package static let failure: Int32 = 1
  /// The host's command line was wrong.
  package static let usage: Int32 = 64
  /// The daemon sent a message that the wire does not allow.
  package static let protocolBroken: Int32 = 76
  /// The plugin has closed descriptors of the host, so that the host cannot use the socket. Few other programs use this
  /// number.
  package static let descriptorsClosed: Int32 = 119
}
