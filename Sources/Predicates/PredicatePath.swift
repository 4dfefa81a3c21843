import JSONCore

extension Predicate {
  /// The path of a value in a moment: `state.cart.items[0].qty`.
  public struct Path: Hashable, Sendable {
    /// The root.
    public var root: Root

    /// The steps from the root.
    public var steps: [Step]

    /// Creates a path.
    public init(_ root: Root, _ steps: [Step] = []) {
      self.root = root
      self.steps = steps
    }
  }

  /// One step of a path.
  public enum Step: Hashable, Sendable {
    /// `.name` or `["any key"]`: a member; of an array or a string, `count` is its length.
    case key(String)
    /// `[3]`: an element, or the member with that key.
    case index(Int)
    /// `[*]`: each element of an array; the path then leads to a list of values.
    case each

    /// The key or index as a pointer's token.
    var token: String {
      switch self {
      case .key(let key): key
      case .index(let index): String(index)
      case .each: "*"
      }
    }

    /// Whether both are the same step, keys byte by byte.
    public static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): left.hasSameBytes(as: right)
      case (.index(let left), .index(let right)): left == right
      case (.each, .each): true
      default: false
      }
    }

    /// Feeds the bytes of the step.
    public func hash(into hasher: inout Hasher) { token.hashBytes(into: &hasher) }
  }

  /// The root of a path.
  public enum Root: String, Hashable, Sendable, CaseIterable {
    /// The recorded event; in a comparison with a string, its name.
    case event
    /// The event's name.
    case name
    /// The state after the entry.
    case state
    /// The outputs after the entry.
    case outputs
    /// The state before the entry.
    case beforeState = "before.state"
    /// The outputs before the entry.
    case beforeOutputs = "before.outputs"
    /// The number of the entry.
    case seq
    /// Microseconds since the timeline's start.
    case t
    /// Nanoseconds inside the reducer.
    case ns
    /// The entry that led to this one.
    case cause
    /// Where the event came from.
    case origin
    /// The call site.
    case at
    /// The error that the reducer threw.
    case error
    /// The loss before the entry.
    case gap
    /// The moment that the live state was replaced by.
    case restored
    /// Whether a wrapped reducer was called with a state that it had not returned.
    case jump
    /// The seq of the entry in the parent that this one recomputes.
    case was
    /// The pointers of the values that stand-ins replace.
    case redacted
    /// The size of a state that was too large to send.
    case omitted
    /// Whether the entry carries the full state.
    case keyframe
    /// Whether the entry's state was not captured.
    case thinned
  }
}

extension Predicate.Root {
  /// The tokens that lead to it in a moment, as the pointers of `redacted` spell them.
  var tokens: [String] {
    switch self {
    case .beforeState: ["state"]
    case .beforeOutputs: ["outputs"]
    case .name: ["event"]
    default: [rawValue]
    }
  }

  /// The side of its value; `nil` for values in the line itself.
  var side: EntrySide? {
    switch self {
    case .state, .outputs: .after
    case .beforeState, .beforeOutputs: .before
    default: nil
    }
  }
}
