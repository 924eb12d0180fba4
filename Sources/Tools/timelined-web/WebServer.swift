import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import TimelineCore
import TimelineSystem
import TimelineWeb

/// The sockets of the server: HTTP/1.1 on one address.
struct WebServer: Sendable {
  let application: WebApplication
  let hub: EventHub
  let watch: DaemonWatch
  let address: ListenAddress
  private let keeper = ConnectionTable()

  /// Headers of a request: browsers send about twenty.
  private static let headersMax = 100
  private static let patience = TimeAmount.nanoseconds(WebLimits.clientPatience.nanoseconds)

  /// Serves requests until the program ends; throws if it cannot listen at the address.
  func run() async throws {
    // Calls of the daemon block, so they have their own threads: the event loop of the sockets must not block.
    // Another thread follows the daemon as long as the program runs.
    let calls = NIOThreadPool(numberOfThreads: WebLimits.callsMax)
    let following = NIOThreadPool(numberOfThreads: 1)
    calls.start()
    following.start()
    let server = Server(
      childChannelSetup: HTTP1Channel(
        responder: { request, writer, channel in
          try await respond(to: request, on: channel, writer, calls)
        },
        configuration: channel),
      configuration: ServerConfiguration(
        address: .hostname(address.host, port: address.port),
        backlog: WebLimits.queueMax,
        availableConnectionsDelegate: MaximumAvailableConnections(
          WebLimits.knownConnectionsMax + WebLimits.strangersMax)),
      onServerRunning: { [address] _ in
        CurrentProcess.print("timelined-web: listening on http://\(address)/\n")
      },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "timelined-web") { _ in SwiftLogNoOpLogHandler() })
    following.submit { [watch] _ in watch.run() }
    try await server.run()
  }

  private var channel: HTTP1Channel.Configuration {
    HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        IdleStateHandler(writeTimeout: Self.patience), ConnectionHandler(keeper: keeper),
      ],
      idleTimeout: Self.patience,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: WebLimits.headerBytesMax, maxHeaderListSize: WebLimits.headerBytesMax,
        maxHeaderFieldCount: Self.headersMax))
  }

  @concurrent private func respond(
    to request: Request, on channel: any Channel, _ writer: consuming ResponseWriter,
    _ calls: NIOThreadPool
  ) async throws {
    let asked = WebRequest(request)
    if application.isKnown(asked) { keeper.recognize(channel) }
    switch application.admit(asked) {
    case .refused(let reply): try await Self.write(reply, writer)
    case .admitted(.events): try await writeEvents(writer)
    case .admitted(let route):
      let body: ByteBuffer
      do {
        body = try await request.body.collect(upTo: route.bodyBytesMax)
      } catch is NIOTooManyBytesError {
        let reply = WebReply(status: 413, error: "body: at most \(route.bodyBytesMax) bytes")
        return try await Self.write(reply, writer)
      }
      let reply = try await calls.runIfActive { [application] in
        application.reply(to: route, asked, body: Array(body.readableBytesView))
      }
      try await Self.write(reply, writer)
    }
  }

  @concurrent private func writeEvents(_ writer: consuming ResponseWriter) async throws {
    guard let events = hub.listen() else {
      let reply = WebReply(status: 503, error: "too many pages are open: close one")
      return try await Self.write(reply, writer)
    }
    let head = Self.head(WebReply(type: "text/event-stream", body: []))
    var body = try await writer.writeHead(head)
    try await body.write(ByteBuffer(string: ":\n\n"))
    for await text in events { try await body.write(ByteBuffer(string: text)) }
    try await body.finish(nil)
  }

  @concurrent private static func write(_ reply: WebReply, _ writer: consuming ResponseWriter) async throws {
    var head = head(reply)
    head.headerFields[.contentLength] = "\(reply.body.count)"
    try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
  }

  private static func head(_ reply: WebReply) -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in WebReply.securityHeaders.merging(reply.headers, uniquingKeysWith: { $1 }) {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return HTTPResponse(status: .init(code: reply.status), headerFields: fields)
  }
}

extension WebRequest {
  /// The parts of a request that determine its route and admission.
  fileprivate init(_ request: Request) {
    func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
    self.init(request.method.rawValue, request.uri.string)
    host = request.head.authority
    origin = value("Origin")
    fetchSite = value("Sec-Fetch-Site")
    cookie = value("Cookie")
    authorization = value("Authorization")
    contentType = value("Content-Type")
  }
}

/// Handles a new connection, and closes it if the client does not read its replies or sends no request.
private final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let keeper: ConnectionTable

  init(keeper: ConnectionTable) { self.keeper = keeper }

  func handlerAdded(context: ChannelHandlerContext) { keeper.arrive(context.channel) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }
}
