/// How a value is reached from the outermost one, shared by all that lie behind it.
final class DecodingPath {
  /// One step into an object or array.
  enum Step {
    case key(any CodingKey)
    case index(Int)
  }

  private let parent: DecodingPath?
  private let step: Step

  init(_ parent: DecodingPath?, _ step: Step) {
    self.parent = parent
    self.step = step
  }

  /// The keys from the outermost value on.
  static func keys(_ path: DecodingPath?) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = path
    while let step = path {
      switch step.step {
      case .key(let key): keys.append(key)
      case .index(let index): keys.append(DecodingKey(intValue: index))
      }
      path = step.parent
    }
    return keys.reversed()
  }
}

/// A key that no type declared: the place in an array, or where a superclass is written.
struct DecodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  /// The key under which `superDecoder()` looks.
  static let superclass = DecodingKey(stringValue: "super")
}
