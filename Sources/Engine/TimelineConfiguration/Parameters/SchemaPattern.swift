/// The regular expression of a schema's `pattern`. Matching takes time linear in the length of the text, for every
/// expression.
///
/// Supports the part of ECMA-262 that needs no backtracking: characters, `.`, classes, anchors, groups, `|` and
/// quantifiers. Unsupported syntax (lookaround, back-references, `\b`, `\p`) is an error of the schema and never
/// causes a wrong result.
struct SchemaPattern: Sendable {
  /// Largest number of steps of one expression, which limits the time for each character. Expressions for texts of a
  /// configuration have less than a tenth of it.
  private static let stepsMax = 2_000
  /// Nesting of groups. Each level costs stack frames of the parser.
  static let depthMax = 32
  /// The largest number in `{n,m}`. Each repetition has its own steps.
  static let repetitionMax = 1_000

  /// The expression as written in the schema.
  let text: String
  /// Size in steps of the matcher. Repeated and empty parts also count a little.
  let size: Int
  private let steps: [Step]

  /// A step of the matcher.
  private enum Step: Sendable {
    case take(Characters)
    case fork(Int, Int)
    case jump(Int)
    case start
    case end
    case done
  }

  /// The characters that match at one position of the expression.
  struct Characters: Sendable {
    var ranges: [ClosedRange<UInt32>]
    var isNegated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar.value) } != isNegated
    }
  }

  /// A parsed part of an expression.
  indirect enum Node {
    case set(Characters)
    case start
    case end
    case sequence([Node])
    case choice([Node])
    case repetition(Node, from: Int, to: Int?)
  }

  /// Parses an expression.
  init(_ text: String) throws(SchemaPatternError) {
    var reader = Reader(text)
    let node = try reader.choice()
    guard reader.isAtEnd else { throw reader.error("it has a ) without a (") }
    var program = Program()
    try program.add(node)
    program.steps.append(.done)
    self.text = text
    steps = program.steps
    size = steps.count + program.nodeCount / 10
  }

  /// Whether the expression matches somewhere in the text. `budget` limits the work. The result is meaningless if the
  /// budget is spent.
  func matches(_ text: String, _ budget: inout SchemaSteps) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var current = Threads(count: steps.count)
    for place in 0...scalars.count {
      add(0, to: &current, at: place, of: scalars.count, &budget)
      if current.isDone { return true }
      // Each position of the text costs a list of all steps. Each step costs a search of all ranges of its set.
      guard place < scalars.count, budget.take(1 + steps.count / 16) else { return false }
      var next = Threads(count: steps.count)
      for step in current.order {
        guard case .take(let set) = steps[step] else { continue }
        guard budget.take(1 + set.ranges.count / 4) else { return false }
        if set.contains(scalars[place]) {
          add(step + 1, to: &next, at: place + 1, of: scalars.count, &budget)
        }
      }
      if next.isDone { return true }
      current = next
    }
    return false
  }

  /// The steps from which a match may continue.
  private struct Threads {
    var order: [Int] = []
    var isThere: [Bool]
    var isDone = false

    init(count: Int) { isThere = Array(repeating: false, count: count) }
  }

  private func add(
    _ first: Int, to threads: inout Threads, at place: Int, of count: Int, _ budget: inout SchemaSteps
  ) {
    var pending = [first]
    while let step = pending.popLast(), budget.take() {
      if threads.isThere[step] { continue }
      threads.isThere[step] = true
      switch steps[step] {
      case .take: threads.order.append(step)
      case .fork(let left, let right): pending += [right, left]
      case .jump(let target): pending.append(target)
      case .start: if place == 0 { pending.append(step + 1) }
      case .end: if place == count { pending.append(step + 1) }
      case .done: threads.isDone = true
      }
    }
  }

  /// The steps of an expression while they are generated.
  private struct Program {
    var steps: [Step] = []
    /// Number of added nodes. It also limits repeated and empty nodes, which generate no steps.
    private(set) var nodeCount = 0

    mutating func add(_ node: Node) throws(SchemaPatternError) {
      nodeCount += 1
      guard steps.count < stepsMax, nodeCount < 10 * stepsMax else {
        throw SchemaPatternError(reason: "it is too large")
      }
      switch node {
      case .set(let set): steps.append(.take(set))
      case .start: steps.append(.start)
      case .end: steps.append(.end)
      case .sequence(let nodes): for node in nodes { try add(node) }
      case .choice(let nodes): try add(choiceOf: nodes[...])
      case .repetition(let node, let from, let to):
        for _ in 0..<from { try add(node) }
        if let to {
          for _ in from..<to { try add(optional: node) }
        } else {
          let fork = steps.count
          try add(optional: node, andThenTo: fork)
        }
      }
    }

    private mutating func add(choiceOf nodes: ArraySlice<Node>) throws(SchemaPatternError) {
      guard let first = nodes.first else { return }
      guard nodes.count > 1 else { return try add(first) }
      let fork = steps.count
      steps.append(.jump(0))
      try add(first)
      let jump = steps.count
      steps.append(.jump(0))
      steps[fork] = .fork(fork + 1, steps.count)
      try add(choiceOf: nodes.dropFirst())
      steps[jump] = .jump(steps.count)
    }

    private mutating func add(optional node: Node, andThenTo target: Int? = nil) throws(SchemaPatternError) {
      let fork = steps.count
      steps.append(.jump(0))
      try add(node)
      if let target { steps.append(.jump(target)) }
      steps[fork] = .fork(fork + 1, steps.count)
    }
  }
}
