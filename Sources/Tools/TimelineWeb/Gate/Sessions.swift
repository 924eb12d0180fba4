import TimelineCore
package import TimelineSystem

/// The signed-in browsers, by the values of their cookies.
package struct Sessions: Sendable {
  private var sessions: [(value: String, until: MonotonicInstant)] = []

  package init() {}

  /// Signs a browser in and returns the value of its cookie: 256 random bits, which cannot be guessed.
  package mutating func begin(at now: MonotonicInstant) -> String {
    drop(before: now)
    if sessions.count >= WebLimits.sessionsMax { sessions.removeFirst() }
    var generator = SystemRandomNumberGenerator()
    let value = (0..<4).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    sessions.append((value, now + WebLimits.sessionLength))
    return value
  }

  /// Whether a cookie has the value of a session that has not expired.
  package func contains(_ value: String, at now: MonotonicInstant) -> Bool {
    sessions.contains { $0.value == value && $0.until > now }
  }

  /// Signs a browser out.
  package mutating func end(_ value: String) { sessions.removeAll { $0.value == value } }

  private mutating func drop(before now: MonotonicInstant) { sessions.removeAll { $0.until <= now } }
}
