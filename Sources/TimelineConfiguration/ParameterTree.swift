struct ParameterTree: Sendable {}
