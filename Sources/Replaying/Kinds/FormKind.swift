import JSONCore
public import StatesCore
public import Timelines

/// How a `StateForm` appears.
///
/// - A closure's change is what it did: `{"apply":{"patch":[…]}}`.
/// - An event is written as it encodes itself; one that could be taken for something else here, by
///   its only key, is `{"event":{"_0":…}}`.
/// - Undo and redo are `{"undo":{"to":7}}`: the entry whose state, or data part, came back. When that
///   was before the recording, they are what they did, as a closure's change is.
///
/// ```swift
/// let appearance = FormAppearance<[Int], Never>()
/// let event = try appearance.event(.undo(to: 3), in: EventContext(patch: nil, base: 0))
/// assert(String(decoding: event, as: UTF8.self) == #"{"undo":{"to":3}}"#)
/// ```
public struct FormAppearance<State: Encodable, Event: Encodable>: MachineAppearance, Sendable {
  /// What a form handles.
  public typealias Input = FormInput<State, Event>

  private let states: StateOutputs<State>

  /// Makes the appearance; a form has no outputs unless some are given.
  public init(outputs: Outputs<State> = Outputs([])) {
    states = StateOutputs(outputs)
  }

  /// The outputs that were given.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: Input?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// What was done.
  public func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    switch input {
    case .event(let event, _): try FormWords.wrapped(CanonicalEncoder().encode(event))
    case .change: FormWords.change("apply", context.patch)
    case .undo(let step): back("undo", to: step, context)
    case .redo(let step): back("redo", to: step, context)
    }
  }

  private func back(_ word: String, to step: Int?, _ context: EventContext) -> [UInt8] {
    step.flatMap(context.seq(ofStep:)).map { FormWords.back(word, to: $0) }
      ?? FormWords.change(word, context.patch)
  }
}

/// How the words of a form's events are written.
package enum FormWords {
  /// Events of the user's whose only key is one of these are wrapped.
  private static let reserved: Set<String> = ["apply", "undo", "redo", "event"]

  static func back(_ word: String, to seq: Int64) -> [UInt8] {
    Array(#"{"\#(word)":{"to":\#(seq)}}"#.utf8)
  }

  static func change(_ word: String, _ patch: ArraySlice<UInt8>?) -> [UInt8] {
    guard let patch else { return Array(#"{"\#(word)":{}}"#.utf8) }
    return Array(#"{"\#(word)":{"patch":"#.utf8) + patch + Array("}}".utf8)
  }

  /// The event, wrapped where it could be taken for a word of the form itself.
  package static func wrapped(_ event: [UInt8]) throws -> [UInt8] {
    guard let key = onlyKey(of: try JSONSlice(validating: event)), reserved.contains(key) else {
      return event
    }
    return Array(#"{"event":{"_0":"#.utf8) + event + Array("}}".utf8)
  }

  /// The only key of an object with one.
  static func onlyKey(of event: JSONSlice) -> String? {
    guard event.kind == .object else { return nil }
    var members = event.members
    guard let first = members.next(), members.next() == nil else { return nil }
    return first.key
  }
}
