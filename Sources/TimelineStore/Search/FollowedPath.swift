internal import JSONCore

/// A path from a root whose steps into arrays may follow elements instead of indices.
struct FollowedPath: Sendable {
  enum Step: Sendable {
    /// A member, or the element at an index.
    case token(String)
    /// The element with this value under the key.
    case element(id: JSON)
  }

  /// The key whose value identifies elements.
  let key: String?

  let steps: [Step]

  /// The path as it was given.
  init(_ tokens: ArraySlice<String>) {
    key = nil
    steps = tokens.map(Step.token)
  }

  /// The path that follows the elements that it leads through in a value.
  init(_ tokens: ArraySlice<String>, following key: String, in value: JSON?) {
    self.key = key
    var steps: [Step] = []
    var value = value
    for token in tokens {
      let child = value?.child(token)
      if case .array = value, let id = child?[key], id.isID {
        steps.append(.element(id: id))
      } else {
        steps.append(.token(token))
      }
      value = child
    }
    self.steps = steps
  }

  /// Resolves the path in a value: the tokens as far as they lead, and the value at the end.
  func resolved(in value: JSON?) -> (tokens: [String], value: JSON?) {
    var tokens: [String] = []
    var value = value
    for step in steps {
      guard let here = value else { break }
      switch step {
      case .token(let token):
        tokens.append(token)
        value = here.child(token)
      case .element(let id):
        guard let key, let index = here.array?.firstIndex(where: { $0[key] == id }) else {
          return (tokens, nil)
        }
        tokens.append(String(index))
        value = here[index]
      }
    }
    return (tokens, value)
  }

  /// The keys of postings that may hold a change, from a moment at which the root had a value.
  func keys(_ root: ValueRoot, when value: JSON?) -> PathKeys {
    // Given tokens hold for any value; a missing element may appear anywhere in the existing part
    // of the path.
    key == nil
      ? PathKeys(root, steps.compactMap { if case .token(let token) = $0 { token } else { nil } })
      : PathKeys(root, resolved(in: value).tokens)
  }
}

extension JSON {
  /// The member or element that a pointer's token names.
  fileprivate func child(_ token: String) -> JSON? {
    switch self {
    case .object(let object): object[token]
    case .array: Pointer.index(token).flatMap { self[$0] }
    default: .none
    }
  }

  /// Whether it can identify elements.
  fileprivate var isID: Bool {
    switch self {
    case .string, .number: true
    default: false
    }
  }
}
