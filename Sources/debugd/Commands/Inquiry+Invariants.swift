import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

// The invariants that a person confirmed, which the daemon keeps and watches.
extension Inquiry {
  /// The predicates that should always hold for the type of some recordings, by number.
  func confirmedInvariants(
    of timelines: [TimelineID], changing change: (inout FromInspector.Filters) -> Void = { _ in }
  ) async throws -> [ToInspector.NamedFilter] {
    guard let timeline = timelines.first else { return [] }
    let machine = try await machineType(of: timeline)
    var asked = FromInspector.Filters {
      $0.machine = machine
      $0.always = true
    }
    change(&asked)
    return try await asking.ask(asked).filters
  }

  /// Lists what is confirmed, removes some of it, or adds predicates; `nil` when none of that was asked
  /// for.
  func changeConfirmed(of timelines: [TimelineID]) async throws -> ExitCode? {
    let removed = arguments.values["remove"] ?? []
    let written = (arguments.values["confirm"] ?? []).filter { Int64($0) == nil }
    guard arguments.has("confirmed") || !removed.isEmpty || !written.isEmpty else { return nil }
    guard try confirmedNumbers().isEmpty else {
      throw arguments.error(
        "The numbers to confirm are those of the list without other options. To fix, confirm them in a "
          + "command of their own.")
    }
    guard let timeline = timelines.first else { return nil }
    let all = try await confirmedInvariants(of: timelines)
    let names = try removed.map { word in
      guard let number = Int(word), all.indices.contains(number - 1) else {
        throw arguments.error(
          "There is no confirmed invariant \(Escaped.quoted(word)). To see their numbers, run: "
            + "debugd invariants \(timeline.text.prefix(8)) --confirmed"
            + ServeSettings.dataOption(arguments))
      }
      return all[number - 1].name
    }
    for name in names { _ = try await confirmedInvariants(of: timelines) { $0.name = name } }
    for text in written {
      let predicate = try await predicate(text, of: timeline)
      // Not an error: other recordings may have the member.
      if let hint = await misspelling(in: predicate, of: timeline) { terminal.complain(hint) }
      try await confirm(predicate, timelines)
    }
    guard arguments.has("confirmed") else {
      for name in names { terminal.print("Removed: \(Escaped.text(name))") }
      return .done
    }
    showConfirmed(try await confirmedInvariants(of: timelines))
    return .done
  }

  private func showConfirmed(_ all: [ToInspector.NamedFilter]) {
    var table = Table([("", .right), ("what must hold", .left)])
    for (index, one) in all.enumerated() {
      if arguments.has("json") {
        printJSON(["predicate": .string(one.predicate)])
      } else {
        table.add([("\(index + 1)", .faint), (one.predicate, nil)])
      }
    }
    if !arguments.has("json") { for line in table.lines(on: terminal) { terminal.print(line) } }
    if all.isEmpty { terminal.complain("No invariant was confirmed for this type of machine.") }
  }

  /// The numbers of the listed invariants to confirm.
  func confirmedNumbers() throws -> [Int] {
    (arguments.values["confirm"] ?? []).compactMap { Int($0) }
  }

  func confirm(
    _ numbers: [Int], of found: ToInspector.Invariants, _ timelines: [TimelineID]
  ) async throws -> ExitCode {
    for number in numbers {
      guard found.invariants.indices.contains(number - 1) else {
        throw arguments.error(
          "There is no invariant \(number) in the list. To see the list, run: debugd invariants "
            + "\(timelines.map { $0.text.prefix(8) }.joined(separator: " "))"
            + (arguments.has("all") ? " --all" : "") + ServeSettings.dataOption(arguments))
      }
    }
    for number in numbers { try await confirm(found.invariants[number - 1].predicate, timelines) }
    return .done
  }

  private func confirm(
    _ predicate: Predicates.Predicate, _ timelines: [TimelineID]
  ) async throws {
    _ = try await confirmedInvariants(of: timelines) {
      // Its text is its name.
      $0.name = "\(predicate)"
      $0.predicate = predicate
    }
    terminal.print("Confirmed: \(Escaped.text("\(predicate)"))")
  }
}
