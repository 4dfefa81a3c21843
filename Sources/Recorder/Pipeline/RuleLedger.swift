import Replaying
import Synchronization
import Timelines

/// Collects which redaction rules matched in which machine, to report misspelled rules.
///
/// A rule in the recorder's options applies to all machines, so it is misspelled only if none of
/// them has such a key.
struct RuleLedger: Sendable {
  private struct Rule: Sendable {
    var quotation: String
    /// Whether it matched, or may still match, in some machine.
    var isPlausible = false
    var similar: String?
    var entries = 0
    var machines: [String] = []
  }

  private var rules: [Rule] = []
  private var reported: Set<String> = []

  /// Adds the outcome of a rule in a machine whose recording ends.
  mutating func add(
    _ outcome: RuleUse.Outcome, of quotation: String, in machine: String, entries: Int
  ) {
    let index = rules.firstIndex { $0.quotation == quotation } ?? rules.count
    if index == rules.count { rules.append(Rule(quotation: quotation)) }
    switch outcome {
    case .matched, .unknown: rules[index].isPlausible = true
    case .missing(let similar): rules[index].similar = rules[index].similar ?? similar
    }
    rules[index].entries += entries
    if !rules[index].machines.contains(machine) { rules[index].machines.append(machine) }
  }

  /// Returns a warning for a rule of one machine whose schema has no such event or output; nil if
  /// it was reported before.
  mutating func warning(
    ofSchema quotation: String, similar: String?, in machine: String
  ) -> String? {
    guard reported.insert(quotation).inserted else { return nil }
    return """
      The redaction rule \(quotation) cannot match: \(machine) has no such event or output. \
      \(Self.advice(similar))
      """
  }

  /// Returns warnings for the rules that matched nothing and cannot match, each once.
  mutating func warnings() -> [String] {
    rules.filter { !$0.isPlausible && reported.insert($0.quotation).inserted }.map { rule in
      let place = rule.machines.count == 1 ? rule.machines[0] : "\(rule.machines.count) machines"
      return """
        The redaction rule \(rule.quotation) matched nothing in \(Counted.entries(rule.entries)) of \(place). \
        \(Self.advice(rule.similar))
        """
    }
  }

  private static func advice(_ similar: String?) -> String {
    guard let similar else { return "To fix, correct or remove it." }
    return "To fix, correct it: there is \"\(similar)\"."
  }
}

extension RecorderCore {
  /// Records which redaction rules matched in a machine whose timeline ends.
  func recordRuleUse(
    _ rules: RedactionRules, _ use: RuleUse, in machine: RecordedMachine, _ schema: RuleSchema
  ) {
    let entries = Int(machine.lastSeq.load(ordering: .relaxed)) + 1
    for (rule, outcome) in zip(rules.rules, use.outcomes) {
      guard let quotation = rule.quotation else { continue }
      let outcome = outcome == .unknown ? schema.outcome(of: rule) : outcome
      ruleLedger.withLock {
        $0.add(outcome, of: quotation, in: machine.name, entries: entries)
      }
    }
  }

  /// Reports the rules that a machine declares and that cannot match according to its schema.
  func checkRules(_ rules: RedactionRules, of machine: RecordedMachine, _ schema: RuleSchema) {
    let common = Set(options.redaction.rules.compactMap(\.quotation))
    for rule in rules.rules {
      guard let quotation = rule.quotation, !common.contains(quotation),
        case .missing(let similar) = schema.outcome(of: rule)
      else { continue }
      report(
        ruleLedger.withLock {
          $0.warning(ofSchema: quotation, similar: similar, in: machine.name)
        })
    }
  }

  /// Reports the misspelled rules, because the recording ends.
  func reportUnmatchedRules() {
    for warning in ruleLedger.withLock({ $0.warnings() }) { report(warning) }
  }

  private func report(_ warning: String?) {
    guard let warning else { return }
    counters.update { $0.unmatchedRules += 1 }
    options.log(warning)
  }
}

/// The events and outputs of a machine, according to its types.
struct RuleSchema {
  var outputs: [String]
  /// The events and the keys of their payloads; nil if they are not all known.
  var events: [(name: String, keys: [String])]?

  init(_ outputs: [Header.Output], _ schema: EventSchema?) {
    self.outputs = outputs.map(\.name)
    guard let schema, schema.isComplete else { return }
    events = schema.cases.map { ($0.name, $0.payload.map(\.key)) }
  }

  /// Returns whether a rule can match.
  func outcome(of rule: RedactionRule) -> RuleUse.Outcome {
    rule.outcome(withOutputs: outputs) ?? events.flatMap { rule.outcome(withEvents: $0) }
      ?? .unknown
  }
}
