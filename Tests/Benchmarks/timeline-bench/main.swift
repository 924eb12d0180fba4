import TimelineSystem

// What of ours can be measured in a process of its own: `timeline-bench VERB ARGUMENT...`. Each verb has a file, says there
// what it takes, and prints one JSON object.

let verbs: [String: ([String]) -> Void] = [
  "cursor": enumerateByCursor,
  "merge": mergeRules,
  "ledger": fileEntries,
  "ledger-memory": weighLedger,
  "next": enumerateByNext,
  "periodic": askPeriodic,
  "rules": printRules,
  "sparse": askSparse,
  "engine": turnEngine,
  "next": enumerateByNext,
  "queue": turnQueue,
  "rest": restEngine,
]

guard let name = CommandLine.arguments.dropFirst().first, let verb = verbs[name] else {
  refuse("expected one of \(verbs.keys.sorted().joined(separator: ", "))")
}
verb(Array(CommandLine.arguments.dropFirst(2)))
