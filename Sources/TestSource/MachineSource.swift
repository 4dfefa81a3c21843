import JSONCore
import Timelines

/// The source that creates a recorded machine.
struct MachineSource {
  /// The kinds of machines, as in headers.
  enum Kind: String {
    case states, form, statechart, functional, feedback, reducer
  }

  let kind: Kind
  /// The module to import with `@testable`, if known.
  let module: String?
  /// The first argument of `ReplayedMachine`.
  private let argument: SwiftLayout.Argument
  /// The second argument of `replay`.
  private let replayed: SwiftLayout.Argument
  /// Whether the test runs the object itself, which usually belongs to the main actor.
  let runsObject: Bool

  init(_ header: Header, make: String?) throws(TestExportError) {
    let machine = header.machine
    guard let kind = machine.kind.flatMap(Kind.init(rawValue:)) else { throw .kind(machine.kind) }
    if machine.encoding == "reflected" { throw .reflected(type: machine.type) }
    self.kind = kind
    let module = machine.module ?? machine.type.split(separator: ".").first.map(String.init)
    self.module = module.flatMap { SwiftName.isModule($0) ? $0 : nil }
    if let make {
      let isLine = !make.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      guard isLine, make.contains(where: { !$0.isWhitespace }) else { throw .expression(make) }
      runsObject = kind == .functional
      let label = runsObject ? "running" : "making"
      argument = .init(label, .text(make))
      replayed = argument
      return
    }
    runsObject = false
    guard let type = Self.typeName(machine, kind, module) else {
      throw .notMade(type: machine.type, made: machine.make)
    }
    let isMade = machine.make?.hasSuffix(".make()") ?? false
    let label =
      switch kind {
      case .states where !isMade: "reducible"
      case .functional where !isMade: "functional"
      case .states, .functional, .form, .statechart, .feedback, .reducer: "of"
      }
    argument = .init(label, .text(type + ".self"))
    replayed = .init("as", .text(type + ".self"))
  }

  /// The type that makes the machine, without its module; `nil` if there is none, or if its name is
  /// not a plain Swift name.
  private static func typeName(
    _ machine: Header.Machine, _ kind: Kind, _ module: String?
  ) -> String? {
    var name: Substring
    if let make = machine.make {
      guard let end = make.droppingSuffix(of: [".make()", ".self"]) else { return nil }
      name = end
    } else if kind == .states || kind == .functional {
      name = machine.type[...]
    } else {
      return nil
    }
    if let module, name.hasPrefix(module + ".") { name = name.dropFirst(module.count + 1) }
    return SwiftName.isTypeName(String(name)) ? String(name) : nil
  }

  /// `try ReplayedMachine(of: PageFlow.self, from: …)`.
  func made(from snapshot: Snapshot, seq: Int64) -> SwiftLayout {
    var arguments = [argument]
    if !runsObject {
      arguments.append(.init("from", RecordedLiteral.layout(snapshot.state)))
      // In these two kinds the outputs describe the last event, and the state does not repeat it.
      let hasOutputs = snapshot.outputs.object?.isEmpty == false
      if hasOutputs, kind == .statechart || kind == .feedback {
        arguments.append(.init("outputs", RecordedLiteral.layout(snapshot.outputs)))
      }
    }
    if seq > 0 { arguments.append(.init("entry", .text(String(seq)))) }
    return .prefixed("try ", .call("ReplayedMachine", arguments))
  }

  /// `try replay("checkout.timeline", as: CheckoutState.self)`.
  func replay(
    _ fixture: String, comparing comparison: SwiftLayout?, expecting conditions: [SwiftLayout]
  ) -> SwiftLayout {
    var arguments = [SwiftLayout.Argument(nil, .text(SwiftLiteral.string(fixture))), replayed]
    if let comparison { arguments.append(.init("comparing", comparison)) }
    for (index, condition) in conditions.enumerated() {
      arguments.append(.init(index == 0 ? "expecting" : nil, condition))
    }
    return .prefixed("try ", .call("replay", arguments))
  }
}

extension Header {
  /// Whether the timeline can become a Swift test: its machine is a Swift machine, and the header says
  /// how to make it.
  package var canBecomeSwiftTest: Bool { (try? MachineSource(self, make: nil)) != nil }
}

extension String {
  /// The text without the first of the given suffixes that it has.
  fileprivate func droppingSuffix(of endings: [String]) -> Substring? {
    for ending in endings where hasSuffix(ending) { return dropLast(ending.count) }
    return nil
  }
}
