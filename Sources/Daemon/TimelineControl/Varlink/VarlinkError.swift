/// An error as Varlink sends it: a qualified name and parameters, which are text in all errors of our interfaces.
package struct VarlinkError: Error, Sendable, Equatable {
  /// The interface and the error's name in it.
  package var name: String
  package var parameters: [String: String]

  package init(name: String, parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }

  /// The service does not have the interface.
  package static func interfaceNotFound(_ interface: String) -> VarlinkError {
    VarlinkError(name: "org.varlink.service.InterfaceNotFound", parameters: ["interface": interface])
  }

  /// The interface does not have the method.
  package static func methodNotFound(_ method: String) -> VarlinkError {
    VarlinkError(name: "org.varlink.service.MethodNotFound", parameters: ["method": method])
  }

  /// A parameter is missing, invalid or unknown.
  package static func invalidParameter(_ parameter: String) -> VarlinkError {
    VarlinkError(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": parameter])
  }

  /// The method replies more than once, and the call does not have `more`.
  package static let expectedMore = VarlinkError(name: "org.varlink.service.ExpectedMore")

  /// The caller may not call the method.
  package static let permissionDenied = VarlinkError(name: "org.varlink.service.PermissionDenied")
}

extension VarlinkError: CustomStringConvertible {
  /// The name, and the parameters in order of their names.
  package var description: String {
    let details = parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return details.isEmpty ? name : "\(name) (\(details.joined(separator: ", ")))"
  }
}
