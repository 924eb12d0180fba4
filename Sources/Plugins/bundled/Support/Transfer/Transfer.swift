import CCurl
import TimelinePluginKit

/// A handle of libcurl with one connection, which is kept open between the runs of a job.
///
/// This class drives the transfer itself, because only then can another thread wake it when the run is to stop.
package final class Transfer {
  private let easy: UnsafeMutableRawPointer
  private let wakeable: Wakeable
  private let errorText: UnsafeMutablePointer<CChar>
  private let userAgent: String

  /// Prepares the handle without making a connection. `userAgent` consists of the name and the version of the plugin.
  package init(userAgent: String) throws {
    self.userAgent = userAgent
    if let reason = timelined_curl_start() {
      throw Failure("\(String(cString: reason)): install libcurl 7.68 or later (Debian: libcurl4)")
    }
    guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let easy = curl_easy_init(),
      let multi = curl_multi_init()
    else {
      throw RetryableFailure("libcurl could not be started: the machine is short of memory")
    }
    self.easy = easy
    wakeable = Wakeable(multi)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(easy)
    wakeable.close()
    errorText.deallocate()
  }

  /// Sends the request and waits for the response. If redirects are followed, returns the response to the last request.
  package func perform(_ request: Request, _ limits: TransferLimits, _ context: RunContext) throws -> Response
  {
    let first = WebAddress(request.url)
    var request = request
    var microseconds: Int64 = 0
    for _ in 0...TransferLimits.redirectsMax {
      var response = try send(request, limits, after: microseconds, context)
      response.microseconds += microseconds
      response.isOfOtherServer = !WebAddress(request.url).isOnServer(of: first)
      guard limits.followsRedirects, let location = response.location else { return response }
      microseconds = response.microseconds
      request = try request.redirected(by: response.status, to: location)
    }
    throw Failure(
      "\(request.words) failed: more than \(TransferLimits.redirectsMax) redirects; correct the job's `with`")
  }

  /// Sends one request and waits for its response.
  ///
  /// - Parameter microseconds: The time that earlier requests took, which were redirected to this one.
  private func send(
    _ request: Request, _ limits: TransferLimits, after microseconds: Int64, _ context: RunContext
  ) throws -> Response {
    let receiver = Receiver(limit: Int(limits.responseLimit)) { [easy] in
      limits.followsRedirects && (300...399).contains(timelined_curl_status(easy))
    }
    var list = try headers(request)
    defer { curl_slist_free_all(list) }
    curl_easy_reset(easy)
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try prepare(request, limits)
    timelined_curl_set_long(
      easy, CURLOPT_TIMEOUT_MS, limits.timeLimitMilliseconds(for: context, after: microseconds))
    timelined_curl_set_headers(easy, list)
    timelined_curl_set_receiver(easy, receive, Unmanaged.passUnretained(receiver).toOpaque())
    let code = try withExtendedLifetime(receiver) { try drive(context) }
    list = withExtendedLifetime(list) { list }
    guard code == CURLE_OK else { throw failure(code, request, receiver, limits) }
    return Response(
      status: Int64(timelined_curl_status(easy)), body: request.secrets.blanked(receiver.text),
      length: receiver.length, microseconds: timelined_curl_duration(easy),
      location: timelined_curl_redirect(easy).map { String(cString: $0) })
  }

  private func prepare(_ request: Request, _ limits: TransferLimits) throws {
    timelined_curl_set_error_buffer(easy, errorText)
    timelined_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Closing the handle does not wait for libcurl's resolver thread, which ends when the resolver answers.
    timelined_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    timelined_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    timelined_curl_set_text(easy, CURLOPT_USERAGENT, userAgent)
    timelined_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
    // libcurl does not follow redirects itself, because it would send headers and body to any server.
    timelined_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    timelined_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(limits.connectTimeLimit * 1_000)))
    prepareMethod(request)
    guard timelined_curl_set_text(easy, CURLOPT_URL, request.url) == CURLE_OK else {
      throw Failure("\(request.words) was not taken by libcurl: correct its URL")
    }
  }

  /// Sets the method. libcurl has options for GET, HEAD and POST; any other method replaces the name of one of these.
  private func prepareMethod(_ request: Request) {
    if let body = request.sentBody {
      timelined_curl_set_long(easy, CURLOPT_POST, 1)
      timelined_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.utf8.count))
      timelined_curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, body)
    }
    switch (request.method, request.sentBody) {
    case ("POST", _?), ("GET", nil): return
    case ("HEAD", _): timelined_curl_set_long(easy, CURLOPT_NOBODY, 1)
    default: timelined_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
    }
  }

  private func headers(_ request: Request) throws -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    // libcurl sends a header without a value only when it ends with a semicolon.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // Removes libcurl's default Content-Type of a POST.
    if request.body == nil, request.sentBody != nil, !request.sets("Content-Type") {
      lines.append("Content-Type:")
    }
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        throw RetryableFailure("libcurl took no more headers: the machine is short of memory")
      }
      list = longer
    }
    return list
  }

  private func drive(_ context: RunContext) throws -> CURLcode {
    guard wakeable.withMulti({ curl_multi_add_handle($0, easy) }) == CURLM_OK else {
      throw RetryableFailure("libcurl did not begin the transfer: the machine is short of memory")
    }
    defer { wakeable.withMulti { _ = curl_multi_remove_handle($0, easy) } }
    let wakeable = wakeable
    context.whenCancelled { wakeable.wake() }
    while true {
      if context.isCancelled { throw CancellationError() }
      var running: Int32 = 0
      var code = CURLE_OK
      let hasFinished = wakeable.withMulti { multi in
        curl_multi_perform(multi, &running)
        return timelined_curl_finished(multi, &code) == 1
      }
      if hasFinished { return code }
      // libcurl remembers a wake-up, so none is lost between the check above and this wait.
      // If the wait fails, it returns at once and would fail again in an endless loop.
      guard wakeable.withMulti({ curl_multi_poll($0, nil, 0, 1_000, nil) }) == CURLM_OK else {
        throw RetryableFailure(
          "libcurl could not wait for the response: the machine is short of memory or descriptors")
      }
    }
  }

  private func failure(_ code: CURLcode, _ request: Request, _ receiver: Receiver, _ limits: TransferLimits)
    -> any Error
  {
    let said = request.secrets.blanked(String(cString: errorText))
    let reason = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    let sentence = "\(request.words) failed: \(reason)"
    if receiver.isOver {
      return Failure(
        "\(request.words) failed: the response has more than \(limits.responseLimit) bytes; "
          + "raise response-limit, or ask for less")
    }
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return RetryableFailure("\(sentence); look at the host's name and at the machine's resolver")
    case CURLE_COULDNT_CONNECT:
      return RetryableFailure("\(sentence); look whether the server runs and listens there")
    case CURLE_OPERATION_TIMEDOUT:
      return RetryableFailure(
        "\(sentence); raise \(limits.timeKeys) or the job's timeout if it is just slow")
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_SSL_CONNECT_ERROR,
      CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_OUT_OF_MEMORY:
      return RetryableFailure("\(sentence); the server or the network broke off, its log may say why")
    case CURLE_PEER_FAILED_VERIFICATION:
      return Failure(
        "\(sentence); renew the server's certificate, or install its authority with update-ca-certificates")
    default: return Failure("\(sentence); correct the job's `with`")
    }
  }
}

/// A multi handle that another thread may wake.
///
/// Sendable although it holds a pointer. The pointer is immutable, and all functions except `curl_multi_wakeup` are called
/// on the run's thread alone. libcurl documents `curl_multi_wakeup` to be safe on any thread until the handle is closed.
/// The host delays the return of a run until its cancel function has returned, so a handle that is being closed is never
/// woken.
private final class Wakeable: @unchecked Sendable {
  private let multi: UnsafeMutableRawPointer

  init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  func withMulti<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result { body(multi) }
  func wake() { curl_multi_wakeup(multi) }
  func close() { curl_multi_cleanup(multi) }
}

/// The receiver of the body.
private final class Receiver {
  /// Number of bytes of the body that are kept for display.
  private static let keptMax = 65_536
  private let limit: Int
  /// Whether the response is a redirect that is followed. The limit does not apply to such a response.
  private let isRedirect: () -> Bool
  private var kept: [UInt8] = []
  private(set) var length = 0
  private(set) var isOver = false

  init(limit: Int, isRedirect: @escaping () -> Bool) {
    self.limit = limit
    self.isRedirect = isRedirect
  }

  var text: String { String(decoding: kept, as: UTF8.self) }

  func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard length + bytes.count <= limit || isRedirect() else {
      isOver = true
      return 0
    }
    length += bytes.count
    kept.append(contentsOf: bytes.prefix(Self.keptMax - kept.count))
    return bytes.count
  }
}

private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let context else { return 0 }
  return Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue().take(
    UnsafeRawBufferPointer(start: bytes, count: size * count))
}
