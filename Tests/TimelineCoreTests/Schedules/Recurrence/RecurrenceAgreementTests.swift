import Foundation
import Testing
import TimelineCore
import TimelineTestSupport

/// Random rules, and the times that Python's dateutil and libical have for them, both in naive local time.
///
/// A difference is decided by the reference, which follows the letter of RFC 5545, and must be of a known kind:
/// ``reason(_:ofLibical:)`` has the list. TIMELINED_DATEUTIL names a Python that has dateutil.
@Suite struct `Fuzzed recurrence rules agree with other programs` {
  static let python = ProcessInfo.processInfo.environment["TIMELINED_DATEUTIL"] ?? "/usr/bin/python3"
  static let seed: UInt64 = 0x55_45
  /// Entries that are compared, at most.
  static let most = 40

  /// Reads a rule, its first second and the last second to compare; prints the seconds of dateutil, and of libical if it is there.
  static let script = """
    import ctypes, ctypes.util, os, signal, sys
    from datetime import datetime, timedelta
    from dateutil.rrule import rrulestr
    EPOCH = datetime(1970, 1, 1)
    class Late(BaseException): pass
    def late(*_): raise Late
    signal.signal(signal.SIGPROF, late)
    name = ctypes.util.find_library("ical") or "libical.so.3"
    try:
        ical = ctypes.CDLL(name).icalrecur_expand_recurrence
        ical.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.POINTER(ctypes.c_long)]
    except OSError:
        ical = None
    for line in sys.stdin:
        rule, begin, end = line.rstrip("\\n").split("\\t")
        begin, end = int(begin), int(end)
        found = []
        signal.setitimer(signal.ITIMER_PROF, 0.2)
        try:
            for time in rrulestr(rule, dtstart=EPOCH + timedelta(seconds=begin)):
                second = (time - EPOCH) // timedelta(seconds=1)
                if second > end or len(found) == \(most): break
                found.append(second)
        except Late:
            found = ["late"]
        except Exception:
            found = ["refused"]
        signal.setitimer(signal.ITIMER_PROF, 0)
        other = "none"
        if ical:
            # In a process of its own, which is stopped if it takes too long.
            reading, writing = os.pipe()
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_PROF, 0.2)
                room = (ctypes.c_long * \(most))()
                ical(rule.encode(), begin, \(most), room)
                os.write(writing, ("x" + " ".join(str(second) for second in room if begin <= second <= end)).encode())
                os._exit(0)
            os.close(writing)
            answer = os.read(reading, 4096).decode()
            os.close(reading)
            os.waitpid(child, 0)
            other = answer[1:] if answer else "late"
        print(" ".join(map(str, found)), other, sep="\\t")
    """

  static func run(_ arguments: [String], input: String) -> String? {
    output(of: python, arguments, input: input)
  }

  static let isInstalled = run(["-c", "import dateutil.rrule"], input: "") != nil

  static func own(_ subject: RecurrenceRules.Subject) throws -> [Int] {
    let rule = try RecurrenceRule(parsing: subject.rule, from: subject.from)
    let schedule = RecurrenceSchedule(recurrence: rule, zone: .utc)
    var (instant, found) = (WallInstant.min, [Int]())
    while found.count < most, let next = schedule.next(after: instant) {
      let second = Int(next.nanosecondsSinceEpoch / 1_000_000_000)
      guard second <= subject.end else { break }
      found.append(second)
      instant = next
    }
    return found
  }

  /// The sentence of RFC 5545 that dateutil 2.9.0 or libical 3.0.16 does not follow; `nil` for a rule without a known one.
  static func reason(_ rule: String, ofLibical: Bool) -> String? {
    func has(_ text: String...) -> Bool { text.contains(where: rule.contains) }
    if has("BYWEEKNO=") {
      return
        "\"BYWEEKNO … weeks of the year … the week numbering defined in ISO 8601\"; without BYDAY \"the day is that of DTSTART\""
    }
    if has("FREQ=WEEKLY"), has("BYSETPOS=") {
      return
        "\"BYSETPOS operates on a set of recurrence instances in one interval\": a whole week, before DTSTART too"
    }
    guard ofLibical else { return nil }
    let isOfUnorderedDays = has("BYMONTHDAY=-") && has("FREQ=MONTHLY", "FREQ=YEARLY")
    if has("BYSETPOS="),
      isOfUnorderedDays || has("FREQ=DAILY", "BYYEARDAY=", "BYHOUR=", "BYMINUTE=", "BYSECOND=")
    {
      return
        "\"BYSETPOS operates on a set of recurrence instances in one interval\": in order of time, of days and times"
    }
    if has("BYYEARDAY="), has("BYMONTH=") {
      return "\"BYxxx rule parts are applied to the current set of evaluated occurrences\": both must hold"
    }
    if has("FREQ=HOURLY", "FREQ=MINUTELY", "FREQ=SECONDLY"), has("BY") {
      return
        "section 3.3.10, the table: a part of FREQ or of a longer unit limits, and negative numbers count too"
    }
    if has("FREQ=WEEKLY"), has("INTERVAL=") {
      return
        "\"WKST … is significant when a WEEKLY RRULE has an interval greater than 1\"; \"the default value is MO\""
    }
    if has("BYMONTHDAY="), has("FREQ=DAILY"), has("=-", ",-") {
      return "\"-10 represents the tenth to the last day of the month\", beside DAILY too"
    }
    if has("BYMONTHDAY="), has("FREQ=YEARLY"), !has("BYMONTH=") {
      return "section 3.3.10, the table: BYMONTHDAY beside YEARLY expands, to each month"
    }
    return nil
  }

  @Test(.enabled(if: isInstalled)) func `random rules have the entries of the letter and of dateutil`() throws
  {
    let caseCount = ProcessInfo.processInfo.environment["TIMELINED_FUZZ_CASES"].flatMap { Int($0) } ?? 200
    var generator = SeededGenerator(seed: Self.seed)
    var (entryCount, differences, late) = (0, [String: Int](), 0)
    var (uses, choosy, libical) = ([String: Int](), 0, 0)
    for first in stride(from: 0, to: caseCount, by: 200) {
      let subjects = (first..<min(first + 200, caseCount)).map { _ in
        RecurrenceRules.subject(using: &generator)
      }
      let lines = subjects.map { "\($0.rule)\t\(RecurrenceReference.seconds($0.from))\t\($0.end)\n" }
      let answers = try #require(Self.run(["-c", Self.script], input: lines.joined()))
        .split(separator: "\n", omittingEmptySubsequences: false)
      try #require(answers.count > subjects.count)
      for (subject, answer) in zip(subjects, answers) {
        let own = try Self.own(subject)
        let letter = RecurrenceReference(subject.rule, from: subject.from).matches(
          through: subject.end, most: Self.most)
        #expect(own == letter, "\(subject.rule) from \(subject.from.description), seed \(Self.seed)")
        let text = own.map(String.init).joined(separator: " ")
        let sides = answer.split(separator: "\t", omittingEmptySubsequences: false)
        for (side, isLibical) in zip(sides, [false, true]) where side != text {
          if ["late", "none", "refused"].contains(side) {
            late += 1
          } else if let reason = Self.reason(subject.rule, ofLibical: isLibical) {
            differences["\(isLibical ? "libical" : "dateutil"): \(reason)", default: 0] += 1
          } else {
            Issue.record("\(subject.rule) from \(subject.from.description): \(own) and not \(side)")
          }
        }
        if sides.count > 1, sides[1] == text { libical += 1 }
        entryCount += own.count
        if !own.isEmpty {
          for part in RecurrenceRules.parts where subject.rule.contains(part + "=") {
            uses[part, default: 0] += 1
          }
          if ["BYSETPOS", "INTERVAL", "WKST", "-"].contains(where: subject.rule.contains) { choosy += 1 }
        }
      }
    }
    print(
      "\(caseCount) rules and \(entryCount) entries by the letter of RFC 5545; \(late) without an answer; \(libical) as libical"
    )
    print("\(uses.sorted { $0.key < $1.key }), \(choosy) with BYSETPOS, INTERVAL, WKST or negatives")
    for (reason, count) in differences.sorted(by: { $0.key < $1.key }) {
      print("\(count) differ from \(reason)")
    }
    #expect(entryCount > caseCount * 5)
    if caseCount >= 20_000 {
      #expect(uses.count == 9 && uses.values.allSatisfy { $0 >= 1_000 } && choosy >= caseCount / 2)
    }
  }
}
