import TimelineJSON

package import TimelineCore

/// A reason why a job must not run with its parameters.
package enum ParameterFinding: Sendable {
  /// The parameters do not match the schema. At least one diagnostic, in the order of the file.
  case wrong([Diagnostic])
  /// The parameters could not be checked; `reason` is a sentence.
  case unchecked(reason: String)
}

extension Configuration {
  /// Checks the `with` of jobs against the text of their plugin's JSON Schema, without running the plugin.
  ///
  /// Returns no diagnostic if all parameters are valid, and one error at each job's `plugin` if the schema cannot be
  /// used. Ignores a name without a job.
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

  /// Checks the `with` of the jobs at `indexes` of ``jobs``, in this order. Returns the findings by index. A job with
  /// valid parameters has no finding.
  ///
  /// Jobs with equal parameters are checked once. ``SchemaSteps`` limits the work for any schema. Call this on a
  /// thread of its own: the check may take a second.
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

  /// Checks the job at `index` against a schema. Subtracts the steps of the check from `left`, the steps for all
  /// jobs.
  private func check(_ index: Int, against schema: ParameterSchema, _ left: inout Int) -> SchemaCheck {
    let steps = min(SchemaSteps.perJobMax, left)
    var check = SchemaCheck(site: sites[index], steps: SchemaSteps(left: steps))
    check.run(schema)
    left -= steps - check.steps.left
    return check
  }
}

/// A program named by a job's parameters. The plugin's schema marks the parameter with `x-timelined-command`.
package struct JobCommand: Sendable {
  /// Index in ``Configuration/jobs``.
  package var index: Int
  /// Program and arguments.
  package var words: [String]
  /// The places of the words; for a default, one place for all words.
  package var places: [SourcePlace]
  /// From the parameter `environment.PATH`, for a program without a slash; `nil` without the parameter.
  package var searchPath: String?
  /// Working directory, from the parameter `working-directory`; `nil` without the parameter.
  package var directory: String?
  /// Whether a run may work without the program, because of a `condition` or of `may-fail` for the command.
  package var isOptional: Bool
  /// Whether `shell`, with one text for a shell, could replace the command: the schema allows `shell`, and the
  /// parameters have only this `command` and no `condition`.
  package var takesShell: Bool
  /// Whether an array of a program and its arguments may replace the command.
  package var takesArray: Bool
}

extension Configuration {
  /// Returns the commands in the parameters of the jobs at `indexes` of ``jobs``. A command that does not match the
  /// schema is skipped.
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

  /// Returns diagnostics about credentials that parameters name but the job does not have, for the jobs at `indexes`
  /// of ``jobs``. A name that does not match the schema is skipped.
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

  /// Returns the checks of the jobs at `indexes`, with these indexes. Omits a check that ran out of steps. Empty if
  /// the schema does not contain `keyword` or cannot be used.
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
  /// The text of a string; `nil` for any other value.
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  /// Whether a run with these parameters may work without `command`, one of their commands.
  fileprivate func isOptional(_ command: JSONValue) -> Bool {
    if let condition = value(at: "/condition") { return condition != command }
    guard case .array(let elements)? = value(at: "/commands") else { return false }
    let mentions = elements.filter { $0 == command || $0.value(at: "/command") == command }
    return !mentions.isEmpty && mentions.allSatisfy { $0.value(at: "/may-fail") == .boolean(true) }
  }
}
