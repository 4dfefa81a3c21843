internal import JSONCore
internal import Timelines

/// A place where a value differs from the recorded one.
struct Difference {
  let path: Pointer
  let expected: JSON?
  let found: JSON?

  init(_ path: Pointer, _ expected: JSON?, _ found: JSON?) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// The places where two values differ (at most five).
  static func all(from expected: JSON, to found: JSON, below root: String) -> [Difference] {
    all(from: expected, to: found, at: Pointer(tokens: [root]))
  }

  /// The places where two values differ (at most five), below a path; `nil` is a missing value.
  static func all(from expected: JSON?, to found: JSON?, at place: Pointer) -> [Difference] {
    guard (expected ?? .null) != (found ?? .null) else { return [] }
    guard let expected, let found else { return [Difference(place, expected, found)] }
    if place.tokens == ["outputs"], let old = expected.object, let new = found.object {
      // Report each output by name, even where replacing all of them would be shorter.
      let names = old.keys + new.keys.filter { old[$0] == nil }
      return Array(
        names.flatMap { all(from: old[$0], to: new[$0], at: Pointer(tokens: ["outputs", $0])) }
          .prefix(5))
    }
    var differences: [Difference] = []
    collect(from: expected, to: found, at: place.tokens, limit: 5, into: &differences)
    return differences
  }

  /// Compares member by member and element by element, so that a path refers to the same place in
  /// both values. A patch's paths do not: they refer to arrays that earlier operations changed.
  static func collect(
    from expected: JSON?, to found: JSON?, at path: [String], limit: Int,
    into differences: inout [Difference]
  ) {
    guard expected != found, differences.count < limit else { return }
    if let old = expected?.object, let new = found?.object {
      for key in old.keys + new.keys.filter({ old[$0] == nil }) {
        collect(from: old[key], to: new[key], at: path + [key], limit: limit, into: &differences)
      }
    } else if let old = expected?.array, let new = found?.array {
      for index in 0..<max(old.count, new.count) {
        collect(
          // A plain `nil` would be JSON's null.
          from: index < old.count ? old[index] : JSON?.none,
          to: index < new.count ? new[index] : JSON?.none, at: path + ["\(index)"], limit: limit,
          into: &differences)
      }
    } else {
      differences.append(Difference(Pointer(tokens: path), expected, found))
    }
  }

  /// A description of the place.
  var name: String {
    let second = path.tokens.count > 1 ? path.tokens[1] : nil
    let place = printableLine(path.description)
    guard path.tokens.first == "outputs", let second else { return place }
    return "output \"\(printableLine(second))\" (\(place))"
  }

  /// The place with both values.
  var text: String {
    "\(name): expected \(Self.text(expected)), got \(Self.text(found))"
  }

  static func text(_ value: JSON?) -> String {
    value.map { shortened(String(decoding: $0.encoded(), as: UTF8.self)) } ?? "nothing"
  }
}

extension Snapshot {
  /// The value at a path that begins with `state` or `outputs`.
  func value(at path: Pointer) throws -> JSON? {
    let rest = Pointer(tokens: Array(path.tokens.dropFirst()))
    switch path.tokens.first {
    case "state": return state[rest]
    case "outputs": return outputs[rest]
    default:
      throw FixtureError(.path(path.description), in: nil)
    }
  }
}
