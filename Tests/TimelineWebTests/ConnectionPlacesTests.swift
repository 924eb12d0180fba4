import Testing
import TimelineCore
import TimelineSystem
import TimelineWeb

@Suite struct `Places of connections` {
  private let moment = WebLimits.strangerMoment.nanoseconds
  private let max = WebLimits.strangersMax

  private func at(_ moments: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: moments * moment)
  }

  /// Places with strangers of these numbers, which came at one instant.
  private func places(_ numbers: Range<Int>) -> ConnectionPlaces<Int> {
    var places = ConnectionPlaces<Int>()
    for number in numbers { places.arrive(number, at: at(0)) }
    return places
  }

  @Test func `are kept while there is room`() {
    var places = places(0..<max - 1)
    #expect(places.crowdedAt == nil)
    #expect(places.crowdedOut(at: at(100)).isEmpty)
  }

  @Test func `the oldest is closed for the next, but only after its minimum time`() {
    var places = places(0..<max - 2)
    for number in 1000..<1004 { places.arrive(number, at: at(1)) }
    #expect(places.crowdedAt == at(1))
    #expect(places.crowdedOut(at: MonotonicInstant(nanosecondsSinceBoot: moment - 1)).isEmpty)
    #expect(places.crowdedOut(at: at(1)) == [0, 1, 2])
    #expect(places.crowdedAt == nil)
  }

  @Test func `a browser that is signed in keeps its place`() {
    var places = places(0..<max)
    places.recognize(0)
    places.recognize(0)
    places.arrive(max, at: at(0))
    #expect(places.crowdedOut(at: at(1)) == [1])
  }

  @Test func `signed-in browsers beyond the limit have no fixed place`() {
    let known = WebLimits.knownConnectionsMax
    var places = places(0..<known)
    for number in 0..<known { places.recognize(number) }
    for number in known..<(known + max) { places.arrive(number, at: at(0)) }
    places.recognize(known)
    #expect(places.crowdedOut(at: at(1)) == [known])
    places.leave(0)
    places.recognize(known + 1)
    for number in 1000..<1002 { places.arrive(number, at: at(1)) }
    #expect(places.crowdedOut(at: at(1)) == [known + 2])
  }

  @Test(arguments: [false, true]) func `the end of a connection frees its place`(isKnown: Bool) {
    var places = places(0..<max)
    if isKnown { places.recognize(3) }
    places.leave(3)
    #expect(places.crowdedAt == nil)
    #expect(places.crowdedOut(at: at(1)).isEmpty)
  }
}
