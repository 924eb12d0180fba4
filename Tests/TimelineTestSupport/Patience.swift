import Foundation
package import TimelineCore

/// The longest waits of tests. A wait that succeeds is not longer for a longer limit.
package enum Patience {
  /// Limit of a wait for anything that is to happen.
  package static let usual = scaled(.seconds(60))

  /// Returns the limit of a wait on this machine, from the limit on an idle machine.
  package static func scaled(_ limit: ElapsedTime) -> ElapsedTime {
    ElapsedTime.nanoseconds(limit.nanoseconds / 1_000 * thousandths)
  }

  /// Thousandths of the factor by which limits are longer on this machine.
  private static let thousandths: Int64 = {
    guard let text = ProcessInfo.processInfo.environment["TIMELINED_SLOW"], !text.isEmpty else {
      return 1_000
    }
    guard let thousandths = thousandths(of: text) else {
      fatalError(
        "TIMELINED_SLOW=\(text): not a factor: set a number from 1 to 999.999, such as 3 or 2.5")
    }
    return thousandths
  }()

  /// Returns thousandths of the factor in a text, from 1 to 999.999; `nil` where there is none. `patience.sh` and `patience.py` read it in the
  /// same way.
  package static func thousandths(of text: String) -> Int64? {
    guard let match = text.wholeMatch(of: /([1-9][0-9]{0,2})(?:\.([0-9]{1,3}))?/),
      let whole = Int64(match.1),
      let part = Int64((match.2 ?? "0").padding(toLength: 3, withPad: "0", startingAt: 0))
    else { return nil }
    return whole * 1_000 + part
  }
}
