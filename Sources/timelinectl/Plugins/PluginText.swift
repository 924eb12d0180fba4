import FoundationEssentials
import TimelineJSON
import TimelineSystem

/// A plugin's description by its host, as a person reads it.
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
  /// The parameters in order of their names, with the schema of each.
  private var parameters: [(name: String, schema: JSONValue, isRequired: Bool)] = []

  private enum CodingKeys: String, CodingKey {
    case file, name, version, summary, abi
  }

  init(json: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    let value = try JSONValue(parsing: json)
    guard case .object(let properties)? = value.value(at: "/parametersSchema/properties") else { return }
    var required: [JSONValue] = []
    if case .array(let names)? = value.value(at: "/parametersSchema/required") { required = names }
    parameters = properties.map { ($0.key, $0.value, required.contains(.string($0.key))) }
  }

  /// A parameter, as JSON has it.
  struct Parameter: Encodable {
    var name: String
    var isRequired: Bool
    /// Type, choices, range and default in words.
    var constraints: String
  }

  /// The parameters in order of their names.
  var parameterList: [Parameter] {
    parameters.map { parameter in
      Parameter(
        name: parameter.name, isRequired: parameter.isRequired,
        constraints: ParameterText(parameter.schema).text(isRequired: parameter.isRequired))
    }
  }

  /// Name, version, file and ABI, and two lines for each parameter.
  var text: String {
    let numbers = abi.oldest == abi.newest ? "\(abi.newest)" : "\(abi.oldest) to \(abi.newest)"
    var lines = ["\(name) \(version): \(summary)", "file  \(file)", "abi   \(numbers)"]
    if !parameters.isEmpty { lines.append("with") }
    let width = parameters.map(\.name.count).max() ?? 0
    for (parameter, shown) in zip(parameters, parameterList) {
      let padding = String(repeating: " ", count: width - shown.name.count)
      lines.append("  \(shown.name)\(padding)  \(shown.constraints)".trimmingBlanks)
      if case .string(let description)? = parameter.schema.value(at: "/description") {
        lines.append("  \(String(repeating: " ", count: width))  \(description)")
      }
    }
    return lines.map { $0.printable + "\n" }.joined()
  }
}
