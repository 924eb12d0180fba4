import TimelineControl

/// The handlers of all calls, by the names of their methods.
struct ControlHandlers {
  /// Answers a call, or throws the error to reply.
  private typealias Handler = (VarlinkCall, ControlConnection, ControlService) throws -> Void

  /// The calls that have a handler.
  private(set) var calls: [any ControlCall.Type] = []
  private var handlers: [String: Handler] = [:]

  init() {
    addQuestions()
    addChangesOfJobs()
    addRuns()
    addBackfills()
    addEvents()
    addDaemon()
    addClock()
    addCluster()
  }

  /// Answers a call. Throws the error to reply if the call is invalid, if the client may not make it, or if the daemon refuses it
  /// at present.
  func answer(_ call: VarlinkCall, on connection: ControlConnection, of service: ControlService) throws {
    guard let handler = handlers[call.method] else { throw VarlinkError.methodNotFound(call.method) }
    try handler(call, connection, service)
  }

  /// Adds the handler of a call. The handler itself replies, possibly later or several times.
  mutating func on<Call: ControlCall>(
    _ type: Call.Type, _ handle: @escaping (ReceivedCall<Call>) throws -> Void
  ) {
    calls.append(type)
    handlers[type.fullName] = { call, connection, service in
      let parameters = try call.read(as: type)
      try service.admit(type, on: connection)
      try handle(ReceivedCall(parameters: parameters, call: call, connection: connection, service: service))
    }
  }

  /// Adds the handler of a call with one reply. The handler returns the reply.
  mutating func answer<Call: ControlCall>(
    _ type: Call.Type, _ reply: @escaping (ReceivedCall<Call>) throws -> Call.Reply
  ) {
    on(type) { $0.reply(try reply($0)) }
  }
}
