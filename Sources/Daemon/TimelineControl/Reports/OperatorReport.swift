/// A user and process that sent a request to the daemon (`Operator`).
package struct OperatorReport: Codable, Sendable, Hashable {
  package var uid: UInt32
  /// `nil` if the name is unknown.
  package var user: String?
  /// The process that sent the request; `nil` for a process of another PID namespace.
  package var pid: Int32?
  /// The name of the program of ``pid``; `nil` if it could not be read.
  package var program: String?

  package init(uid: UInt32, user: String? = nil, pid: Int32? = nil, program: String? = nil) {
    self.uid = uid
    self.user = user
    self.pid = pid
    self.program = program
  }
}

extension OperatorReport: CustomStringConvertible {
  /// `root (uid 0), process 4711 (timelinectl)`.
  package var description: String {
    (user.map { "\($0) (uid \(uid))" } ?? "uid \(uid)")
      + (pid.map { ", process \($0)" + (program.map { " (\($0))" } ?? "") } ?? "")
  }
}
