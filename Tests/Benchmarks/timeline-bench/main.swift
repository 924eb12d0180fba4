import TimelineSystem

// Benchmarks that run in a process of their own: `timeline-bench VERB ARGUMENT...`. Each verb has a file, which describes its
// arguments, and prints one JSON object.

let verbs: [String: ([String]) -> Void] = [
  "cursor": enumerateByCursor,
  "dry-run": rehearseRules,
  "engine": turnEngine,
  "kind": enumerateByKind,
  "ledger": fileEntries,
  "ledger-memory": weighLedger,
  "merge": mergeRules,
  "next": enumerateByNext,
  "periodic": askPeriodic,
  "queue": turnQueue,
  "rest": restEngine,
  "rules": printRules,
  "slowest": askSlowest,
  "sparse": askSparse,
]

guard let name = CommandLine.arguments.dropFirst().first, let verb = verbs[name] else {
  refuse("expected one of \(verbs.keys.sorted().joined(separator: ", "))")
}
verb(Array(CommandLine.arguments.dropFirst(2)))
