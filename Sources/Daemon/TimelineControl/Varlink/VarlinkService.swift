/// The interface `org.varlink.service`: information about the server and the interfaces that it has.
package struct VarlinkService: Sendable {
  /// Reply to `GetInfo`.
  package struct Information: Codable, Sendable, Equatable {
    package var vendor: String
    /// Name of the service.
    package var product: String
    package var version: String
    /// Address of a page about the service.
    package var url: String
    package var interfaces: [String]
  }

  /// Decision on a call: a reply, an error, or the owner's work.
  enum Verdict {
    case forOwner
    case reply(any Encodable & Sendable)
    case failure(VarlinkError)
  }

  /// Reply to `GetInfo`.
  package let information: Information

  /// Makes the service of a daemon that has our control interface.
  package init(version: String, vendor: String = "timelined", product: String = "timelined", url: String = "")
  {
    information = Information(
      vendor: vendor, product: product, version: version, url: url,
      interfaces: [Self.name, ControlInterface.name])
  }

  func verdict(on call: VarlinkCall) -> Verdict {
    if call.wantsUpgrade { return .failure(.invalidParameter("upgrade")) }
    let method = String(call.method.dropFirst(call.interface.count + 1))
    switch (call.interface, method) {
    case (Self.name, "GetInfo"): return information(for: call)
    case (Self.name, "GetInterfaceDescription"): return description(for: call)
    case (Self.name, _): return .failure(.methodNotFound(call.method))
    case (ControlInterface.name, _):
      return ControlInterface.methods.contains(method) ? .forOwner : .failure(.methodNotFound(call.method))
    default: return .failure(.interfaceNotFound(call.interface))
    }
  }

  private func information(for call: VarlinkCall) -> Verdict {
    do {
      _ = try call.parameters(as: NoParameters.self)
      return .reply(information)
    } catch {
      return .failure(error)
    }
  }

  private func description(for call: VarlinkCall) -> Verdict {
    do {
      switch try call.parameters(as: DescriptionParameters.self).interface {
      case Self.name: return .reply(DescriptionReply(description: Self.description))
      case ControlInterface.name: return .reply(DescriptionReply(description: ControlInterface.description))
      case let other: return .failure(.interfaceNotFound(other))
      }
    } catch {
      return .failure(error)
    }
  }

  /// Parameters of a method that has none.
  struct NoParameters: Codable, Sendable {}

  struct DescriptionParameters: Codable, Sendable {
    var interface: String
  }

  struct DescriptionReply: Codable, Sendable {
    var description: String
  }

  static let name = "org.varlink.service"

  /// The description that Varlink prescribes (varlink.org/Service).
  static let description = """
    # What every Varlink service tells about itself.
    interface org.varlink.service

    # Who and what the service is, and the interfaces it has.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # The description of one of the interfaces.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The service has no such interface.
    error InterfaceNotFound (interface: string)

    # The interface has no such method.
    error MethodNotFound (method: string)

    # The interface has the method and this service does not.
    error MethodNotImplemented (method: string)

    # A parameter is missing, wrong, or none of the method's.
    error InvalidParameter (parameter: string)

    # The method replies more than once, and the call does not have "more".
    error ExpectedMore ()

    # The caller may not do that.
    error PermissionDenied ()

    """
}
