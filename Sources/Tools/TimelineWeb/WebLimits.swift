package import TimelineCore

/// Limits on what a browser can make the server store or do, each with its reason.
package enum WebLimits {
  /// Bytes of a request's body, except for a plan. The largest valid body pauses a job with a reason of 500 bytes.
  package static let bodyBytesMax = 4 * 1024
  /// Bytes of all headers of a request: browsers send about 1 KiB, and cookies of other services on the same host add
  /// about as much.
  package static let headerBytesMax = 16 * 1024
  /// Connections of browsers that are signed in, and of programs with the token: ten open pages, each with the six
  /// connections that a browser makes to one host.
  package static let knownConnectionsMax = 64
  /// Connections of other clients, which sign in within some milliseconds. Together with ``knownConnectionsMax`` they
  /// need about 20 MB.
  package static let strangersMax = 128
  /// Minimum time for which a new connection stays open while others wait: enough for a request from another continent.
  /// With the maxima above, at most 768 connections per second are accepted; handling them takes a tenth of a processor.
  package static let strangerMoment = ElapsedTime.milliseconds(250)
  /// Connections that wait to be accepted. A client beyond these connections retries after a second. In a longer
  /// queue the client would wait longer.
  package static let queueMax = 1_024
  /// Open event streams, one for each page. They must leave connections for all other requests.
  package static let eventStreamsMax = 32
  /// Timeout of a request, and of each part of a reply; a slower client is disconnected.
  package static let clientPatience = ElapsedTime.seconds(30)
  /// Time between two keep-alives on an event stream. Proxies, and the limit ``clientPatience``, close streams that
  /// are silent for longer.
  package static let pulse = ElapsedTime.seconds(15)
  /// Concurrent calls of the daemon. The daemon answers one call after the other, and a slow answer must not block
  /// all pages.
  package static let callsMax = 4
  /// Timeout of an answer of the daemon: a healthy daemon needs milliseconds, a busy one seconds.
  package static let answerLimit = ElapsedTime.seconds(10)

  /// Signed-in browsers. If there are more, the browser that signed in first is signed out.
  package static let sessionsMax = 64
  /// Time for which a browser stays signed in: a working day.
  package static let sessionLength = ElapsedTime.hours(12)
  /// Length of a token. A shorter token can be guessed, and a longer file is probably not a token.
  package static let tokenLengths = 16...256

  /// Jobs in one window: more rows than a person reads. The filter finds the others.
  package static let rowsMax = 200
  /// Pixels of a row: wider than any screen.
  package static let columnsMax = 4_000
  /// Entries and groups of entries in one window: about 1 MB.
  package static let marksMax = 20_000
  /// Characters of a filter: a few names.
  package static let filterLengthMax = 200
  /// Length of a window: from the shortest that separates entries a millisecond apart to the longest that the engine
  /// simulates at once.
  package static let windowLengths = ElapsedTime.milliseconds(100)...ElapsedTime.days(732)
  /// Pages of a history that are read for one window: 20,000 entries, some tenths of a second of the daemon's time.
  /// The next window continues from there.
  package static let historyPagesMax = 20

  /// Concurrent simulations for rehearsals and plans: each needs a processor, and calls of the daemon must find a thread.
  package static let simulationsMax = 2
  /// Time limit for a window of a rehearsal, because a person waits.
  package static let rehearsalTimeMax = ElapsedTime.seconds(3)
  /// Time limit for the dry runs that determine the compared time of a plan. The comparison that follows takes twice
  /// as long.
  package static let planTimeMax = ElapsedTime.seconds(1)
  /// Steps of the simulation of a rehearsal for one window: a million instants, some seconds.
  package static let rehearsedPortionsMax = 2_000
  /// Rehearsals that are kept for later requests of a few people: 20 MB for the last one, and 4 MB for each other
  /// one.
  package static let rehearsalsKeptMax = 8
  /// Maximum decisions before and after the time of a rehearsal's clock: before it more than the list shows, after it
  /// enough until the page's next request.
  package static let (pastDecisionsMax, laterDecisionsMax) = (20, 2_000)

  /// Bytes of the text of a proposed configuration: a thousand jobs of 250 bytes. JSON less than doubles the text.
  package static let proposalBytesMax = 256 * 1024
  /// Rows of the dry run of one configuration in a plan: about 2 MB. A plan with more rows ends early.
  package static let planRowsMax = 20_000
  /// Instants of the dry run of one configuration in a plan: some 0.5 s.
  package static let planStepsMax = 200_000
  /// Changed entries of one job in a plan, and of all jobs: more than a row can show.
  package static let (changesOfJobMax, changesMax) = (300, 6_000)
  /// Errors and warnings of a proposed configuration: more than a person reads at once.
  package static let remarksMax = 50
}
