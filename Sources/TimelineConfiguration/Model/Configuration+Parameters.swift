import TimelineJSON

package import TimelineCore

/// Reasons why a job is not to be run with its parameters.
package enum ParameterFinding: Sendable {
  /// They do not fit the schema; in the order of the file, at least one.
  case wrong([Diagnostic])
  /// They could not be held against the schema, as a sentence.
  case unchecked(reason: String)
}

extension Configuration {
  /// Checks the `with` of jobs against the JSON Schema text that their plugin gives, without running anything.
  ///
  /// An empty result means that the parameters fit. A schema that cannot be used is one error at each job's `plugin`. A name that no job
  /// has gives nothing.
  package func check(parametersOf names: [JobName], against schemaText: String) -> [Diagnostic] {
    let wanted = Set(names)
    let indexes = jobs.indices.filter { wanted.contains(jobs[$0].name) }
    let findings = check(parametersOfJobsAt: indexes, against: schemaText)
    return indexes.flatMap { index -> [Diagnostic] in
      switch findings[index] {
      case nil: []
      case .wrong(let diagnostics)?: diagnostics
      case .unchecked(let reason)?:
        [
          Diagnostic(
            severity: jobs[index].isEnabled ? .error : .warning, place: pluginPlace(ofJobAt: index),
            message: reason, help: ["the job may be right; the plugin is to be corrected"])
        ]
      }
    }
  }

  /// Checks the `with` of the jobs at `indexes` of ``jobs`` in this order; gives what is wrong by the index. Jobs whose parameters fit have
  /// no finding.
  ///
  /// Jobs with equal parameters are checked once. The work is bounded for any schema: see ``SchemaSteps``. It may take a second: call it on
  /// a thread of its own.
  package func check(
    parametersOfJobsAt indexes: [Int], against schemaText: String
  ) -> [Int: ParameterFinding] {
    let schema: ParameterSchema
    do {
      schema = try SchemaReader.schema(of: schemaText)
    } catch {
      return Dictionary(
        uniqueKeysWithValues: indexes.map { index in
          (
            index,
            .unchecked(
              reason:
                "the plugin \"\(jobs[index].plugin)\" gives a broken schema of its parameters: \(error.description)"
            )
          )
        })
    }
    var left = SchemaSteps.perPluginMax(jobCount: indexes.count)
    var fitting: Set<ObjectIdentifier> = []
    var findings: [Int: ParameterFinding] = [:]
    for index in indexes where sites.indices.contains(index) && !fitting.contains(jobs[index].wants) {
      let site = sites[index]
      let check = self.check(index, against: schema, &left)
      if check.steps.isSpent {
        findings[index] = .unchecked(
          reason:
            "the parameters cannot be checked: the schema of the plugin \"\(jobs[index].plugin)\" takes more than \(SchemaSteps.perJobMax) steps for a job, or too many for all of its jobs: simplify the schema, or make the parameters shorter"
        )
      } else if !check.diagnostics.isEmpty {
        findings[index] = .wrong(check.diagnostics.sorted(by: [site.path]))
      } else if site.with?.holdsDates != true {
        fitting.insert(jobs[index].wants)
      }
    }
    return findings
  }

  /// Holds the job at `index` against a schema, and takes the steps from those that are left for all jobs.
  private func check(_ index: Int, against schema: ParameterSchema, _ left: inout Int) -> SchemaCheck {
    let steps = min(SchemaSteps.perJobMax, left)
    var check = SchemaCheck(site: sites[index], steps: SchemaSteps(left: steps))
    check.run(schema)
    left -= steps - check.steps.left
    return check
  }
}

/// A program that a job's parameters name, as their schema says by `x-timelined-command`.
package struct JobCommand: Sendable {
  /// The job, by its index in ``Configuration/jobs``.
  package var index: Int
  /// The program and its arguments.
  package var words: [String]
  /// The places of the words; a default has one place for all of them.
  package var places: [SourcePlace]
  /// The search path of a program without a slash, if the parameters say: `environment.PATH`.
  package var searchPath: String?
  /// The directory in which the command starts, if the parameters say: `working-directory`.
  package var directory: String?
  /// Whether a run can do without the program, if the parameters say: it runs under a `condition`, or it `may-fail`.
  package var isOptional: Bool
  /// Whether it is the one `command` of parameters that have `shell` beside it, so that one text for a shell may stand in its place.
  package var takesShell: Bool
  /// Whether an array of a program and its arguments may stand in its place.
  package var takesArray: Bool
}

extension Configuration {
  /// The commands among the parameters of the jobs at `indexes` of ``jobs`` that fit their part of the schema.
  package func commands(ofJobsAt indexes: [Int], in schemaText: String) -> [JobCommand] {
    let hasShell = (try? JSONValue(parsing: schemaText))?.value(at: "/properties/shell") != nil
    return checks(ofJobsAt: indexes, for: "x-timelined-command", in: schemaText).flatMap { index, check in
      let parameters = sites[index].with?.json
      let isAlone = parameters?.value(at: "/condition") == nil
      return check.commands.compactMap { command -> JobCommand? in
        let words = command.words
        guard !words.isEmpty, !command.isNamed(by: check.diagnostics) else { return nil }
        return JobCommand(
          index: index, words: words, places: command.places,
          searchPath: parameters?.value(at: "/environment/PATH")?.text,
          directory: parameters?.value(at: "/working-directory")?.text,
          isOptional: parameters?.isOptional(command.value) ?? false,
          takesShell: hasShell && isAlone && parameters?.value(at: "/command") == command.value,
          takesArray: command.takesArray)
      }
    }
  }

  /// The diagnostics of credentials that parameters of the jobs at `indexes` of ``jobs`` name and the jobs do not have.
  package func missingCredentials(ofJobsAt indexes: [Int], in schemaText: String) -> [Diagnostic] {
    checks(ofJobsAt: indexes, for: "x-timelined-credential", in: schemaText).flatMap { index, check in
      let job = jobs[index]
      let names = job.setup.credentials.keys.sorted()
      return check.credentials.compactMap { credential -> Diagnostic? in
        guard let name = credential.words.first, !names.contains(name),
          !credential.isNamed(by: check.diagnostics)
        else { return nil }
        let help =
          if let near = Spelling.nearest(to: name, among: names) {
            "did you mean \"\(near)\"?"
          } else if names.isEmpty {
            "write credentials = { \(name) = \"/path/of/the/file\" }"
          } else {
            "it has \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
          }
        return Diagnostic(
          severity: job.isEnabled ? .error : .warning, place: credential.places[0],
          message: "the job \(job.name) has no credential \"\(name)\"",
          label: "expected a name under `credentials`", help: [help])
      }
    }
  }

  /// The checks of parameters against a schema with this keyword, and the indexes of their jobs.
  private func checks(
    ofJobsAt indexes: [Int], for keyword: String, in schemaText: String
  ) -> [(index: Int, check: SchemaCheck)] {
    guard schemaText.contains(keyword), let schema = try? SchemaReader.schema(of: schemaText) else {
      return []
    }
    var left = SchemaSteps.perPluginMax(jobCount: indexes.count)
    return indexes.filter(sites.indices.contains).compactMap { index in
      let check = self.check(index, against: schema, &left)
      return check.steps.isSpent ? nil : (index, check)
    }
  }
}

extension JSONValue {
  /// The text, if it is one.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  /// Whether a run with these parameters can do without `command`, which is one of theirs.
  fileprivate func isOptional(_ command: JSONValue) -> Bool {
    if let condition = value(at: "/condition") { return condition != command }
    guard case .array(let elements)? = value(at: "/commands") else { return false }
    let mentions = elements.filter { $0 == command || $0.value(at: "/command") == command }
    return !mentions.isEmpty && mentions.allSatisfy { $0.value(at: "/may-fail") == .boolean(true) }
  }
}
