public import Timelines

/// How one kind of machine appears in the entries of its recording.
///
/// It looks at values alone, so a recorder uses it on a thread of its own.
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
  /// The state, as the machine's kernel has it.
  associatedtype State
  /// The input, as the machine's kernel has it.
  associatedtype Input
  /// What stands for the state.
  associatedtype Recorded: Encodable

  /// The outputs that the machine can have, for the header.
  var outputKinds: [Header.Output] { get }

  /// What stands for a state.
  func recorded(_ state: State) -> Recorded

  /// The outputs after an input, or after a state that was restored.
  func outputs(of state: State, after input: Input?) -> [RecordedOutput]

  /// What stands for an input, as JSON on one line.
  func event(_ input: Input, in context: EventContext) throws -> [UInt8]
}

extension MachineAppearance {
  /// None.
  public var outputKinds: [Header.Output] { [] }

  /// None.
  public func outputs(of state: State, after input: Input?) -> [RecordedOutput] { [] }
}

/// What an event may have to say besides itself.
///
/// ```swift
/// let context = EventContext(patch: nil, base: 10)
/// assert(context.seq(ofStep: 12) == 2)
/// assert(context.seq(ofStep: 9) == nil)
/// ```
public struct EventContext: Sendable {
  /// What the event did to the state; nil when that is not known.
  public let patch: ArraySlice<UInt8>?
  /// The number of the machine's step that is entry 0.
  public let base: Int
  /// What went wrong with the event.
  public let error: (any Error)?

  /// Puts a context together.
  public init(patch: ArraySlice<UInt8>?, base: Int, error: (any Error)? = nil) {
    self.patch = patch
    self.base = base
    self.error = error
  }

  /// The entry that holds a step of the machine; nil for one before the recording began.
  public func seq(ofStep number: Int) -> Int64? {
    number >= base ? Int64(number - base) : nil
  }
}
