import FoundationEssentials
package import TimelineCore

/// A request for the effects of a configuration.
package struct PlanQuery: Sendable, Hashable {
  /// The text of the configuration.
  package let text: [UInt8]
  /// Length of the compared time, from now on; `nil` for a default that depends on the jobs.
  package let length: ElapsedTime?
  /// Width of a row, in pixels.
  package let columns: Int

  private struct Parameters: Decodable {
    var configuration: String
    var length: Int64?
    var columns: Int?
  }

  /// Reads the parameters, `length` in milliseconds; `nil` if they are malformed.
  package init?(body: [UInt8]) {
    guard let parameters = try? JSONDecoder().decode(Parameters.self, from: Data(body)) else { return nil }
    text = Array(parameters.configuration.utf8)
    length = parameters.length.map { milliseconds in
      let length = ElapsedTime.milliseconds(milliseconds)
      return min(max(length, WebLimits.windowLengths.lowerBound), WebLimits.windowLengths.upperBound)
    }
    columns = min(max(parameters.columns ?? 900, 1), WebLimits.columnsMax)
  }
}
