import FoundationEssentials
import TimelineJSON
import TimelineSystem

/// A plugin's description by its host, in readable form.
struct PluginText: Decodable {
  struct Range: Decodable {
    let oldest: Int
    let newest: Int
  }

  let file: String
  let name: String
  let version: String
  let summary: String
  let abi: Range
  /// Description of the parameters as a whole; empty if the schema has none.
  private var about = ""
  /// The parameters in order of their names, each followed by the nested ones.
  private var parameters: [NestedParameter] = []

  private enum CodingKeys: String, CodingKey {
    case file, name, version, summary, abi
  }

  init(json: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    let value = try JSONValue(parsing: json)
    guard let schema = value.value(at: "/parametersSchema") else { return }
    if case .string(let text)? = schema.value(at: "/description") { about = text }
    parameters = NestedParameter.all(in: schema)
  }

  /// A parameter as JSON.
  struct Parameter: Encodable {
    var name: String
    var isRequired: Bool
    /// Type, choices, range and default in words.
    var constraints: String
  }

  /// The parameters in order of their names, without the nested ones.
  var parameterList: [Parameter] {
    parameters.filter { $0.depth == 0 }.map { parameter in
      Parameter(
        name: parameter.name, isRequired: parameter.isRequired,
        constraints: ParameterText(parameter.schema).text(isRequired: parameter.isRequired))
    }
  }

  /// Name, version, file and ABI, the purpose of the parameters, and two lines for each of them.
  var text: String {
    let numbers = abi.oldest == abi.newest ? "\(abi.newest)" : "\(abi.oldest) to \(abi.newest)"
    var lines = ["\(name) \(version): \(summary)", "file  \(file)", "abi   \(numbers)"]
    if !about.isEmpty { lines += ["", about, ""] }
    if !parameters.isEmpty { lines.append("with") }
    let width = parameters.map(\.name.count).max() ?? 0
    for parameter in parameters {
      let padding = String(repeating: " ", count: width - parameter.name.count)
      let constraints = ParameterText(parameter.schema).text(isRequired: parameter.isRequired)
      lines.append("  \(parameter.name)\(padding)  \(constraints)".trimmingBlanks)
      if case .string(let description)? = parameter.schema.value(at: "/description") {
        lines.append("  \(String(repeating: " ", count: width))  \(description)")
      }
    }
    return lines.map { $0.printable + "\n" }.joined()
  }
}
