/// Bounds on what a client can make us keep, each with its reason.
package enum Limits {
  /// One request, its NUL included. The largest that makes sense names a job and has less than 200 bytes.
  package static let requestBytesMax = 64 * 1024
  /// Replies that a client has not read yet. A list of 10,000 jobs has about 8 MB; whoever leaves more than that unread
  /// is cut off, so that it cannot hold the daemon's memory.
  package static let outputBytesMax = 16 * 1024 * 1024
  /// One reply, as a client takes it; as much as the server would ever queue.
  package static let replyBytesMax = 16 * 1024 * 1024
}
