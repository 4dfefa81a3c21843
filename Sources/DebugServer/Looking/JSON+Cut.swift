internal import JSONCore
internal import Timelines

extension JSON {
  /// The value with arrays and objects deeper than some levels cut; the value itself is level 1.
  func cut(below depth: Int64) -> JSON {
    switch self {
    case .array(let elements):
      if elements.isEmpty { return self }
      guard depth > 1 else { return cutMark }
      return .array(elements.map { $0.cut(below: depth - 1) })
    case .object(let object):
      if object.isEmpty { return self }
      guard depth > 1 else { return cutMark }
      var result = JSON.Object()
      for (key, value) in object { result[key] = value.cut(below: depth - 1) }
      return .object(result)
    case .null, .bool, .number, .string: return self
    }
  }

  /// What stands for a value that was cut.
  private var cutMark: JSON { ["$cut": .number(JSON.Number(Int64(encoded().count)))] }

  /// The value as text that is checked.
  var slice: JSONSlice {
    get throws(Refusal) {
      do {
        return try JSONSlice(validating: encoded())
      } catch {
        throw Refusal(.failed, "A value cannot be written: \(error).")
      }
    }
  }
}
