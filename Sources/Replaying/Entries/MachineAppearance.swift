public import Timelines

/// How a kind of machine appears in entries.
///
/// It only reads values, so a recorder can use it on its own thread.
///
/// ```swift
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: String, Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
/// }
/// let appearance = StatesAppearance<Coin>()
/// assert(appearance.outputKinds.isEmpty)
/// ```
public protocol MachineAppearance<State, Input> {
  /// The state in the machine's kernel.
  associatedtype State
  /// The input in the machine's kernel.
  associatedtype Input
  /// The recorded form of the state.
  associatedtype Recorded: Encodable

  /// The outputs that the machine can have, for the header.
  var outputKinds: [Header.Output] { get }

  /// Returns the recorded form of a state.
  func recorded(_ state: State) -> Recorded

  /// Returns the outputs after an input, or after a restored state.
  func outputs(of state: State, after input: Input?) -> [RecordedOutput]

  /// Returns the recorded form of an input, as JSON on one line.
  func event(_ input: Input, in context: EventContext) throws -> [UInt8]
}

extension MachineAppearance {
  /// No outputs.
  public var outputKinds: [Header.Output] { [] }

  /// No outputs.
  public func outputs(of state: State, after input: Input?) -> [RecordedOutput] { [] }
}

/// Information about an event besides its value.
///
/// ```swift
/// let context = EventContext(patch: nil, base: 10)
/// assert(context.seq(ofStep: 12) == 2)
/// assert(context.seq(ofStep: 9) == nil)
/// ```
public struct EventContext: Sendable {
  /// The event's change of the state; `nil` if unknown.
  public let patch: ArraySlice<UInt8>?
  /// The number of the machine's step that is entry 0.
  public let base: Int
  /// The event's error.
  public let error: (any Error)?

  /// Creates a context.
  public init(patch: ArraySlice<UInt8>?, base: Int, error: (any Error)? = nil) {
    self.patch = patch
    self.base = base
    self.error = error
  }

  /// The seq of a step's entry; `nil` for a step before the recording began.
  public func seq(ofStep number: Int) -> Int64? {
    number >= base ? Int64(number - base) : nil
  }
}
