import JSONCore
public import StatesCore
public import Timelines

/// How a `StateForm` appears.
///
/// - A change by a closure is its patch: `{"apply":{"patch":[…]}}`.
/// - An event is its encoding. If its only key is one of the other forms, it is
///   `{"event":{"_0":…}}`.
/// - Undo and redo are `{"undo":{"to":7}}` with the entry whose state, or data part, was restored. If
///   that was before the recording, they are patches, like changes by closures.
///
/// ```swift
/// let appearance = FormAppearance<[Int], Never>()
/// let event = try appearance.event(.undo(to: 3), in: EventContext(patch: nil, base: 0))
/// assert(String(decoding: event, as: UTF8.self) == #"{"undo":{"to":3}}"#)
/// ```
public struct FormAppearance<State: Encodable, Event: Encodable>: MachineAppearance, Sendable {
  /// The inputs of a form.
  public typealias Input = FormInput<State, Event>

  private let states: StateOutputs<State>

  /// Creates an appearance (default: without outputs).
  public init(outputs: Outputs<State> = Outputs([])) {
    states = StateOutputs(outputs)
  }

  /// The given outputs.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: Input?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// The recorded form of an input.
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

/// Encodes the events of forms.
package enum FormWords {
  /// The app's events with one of these as their only key are wrapped.
  private static let reserved: Set<String> = ["apply", "undo", "redo", "event"]

  static func back(_ word: String, to seq: Int64) -> [UInt8] {
    Array(#"{"\#(word)":{"to":\#(seq)}}"#.utf8)
  }

  static func change(_ word: String, _ patch: ArraySlice<UInt8>?) -> [UInt8] {
    guard let patch else { return Array(#"{"\#(word)":{}}"#.utf8) }
    return Array(#"{"\#(word)":{"patch":"#.utf8) + patch + Array("}}".utf8)
  }

  /// The event, wrapped if it could be confused with an event of the form itself.
  package static func wrapped(_ event: [UInt8]) throws -> [UInt8] {
    guard let key = onlyKey(of: try JSONSlice(validating: event)), reserved.contains(key) else {
      return event
    }
    return Array(#"{"event":{"_0":"#.utf8) + event + Array("}}".utf8)
  }

  /// The key of an object with exactly one member.
  static func onlyKey(of event: JSONSlice) -> String? {
    guard event.kind == .object else { return nil }
    var members = event.members
    guard let first = members.next(), members.next() == nil else { return nil }
    return first.key
  }
}
