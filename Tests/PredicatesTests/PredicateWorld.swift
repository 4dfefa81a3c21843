import JSONCore
import TestSupport

@testable import Predicates
@testable import Timelines

/// Makes random predicates and moments over few enough keys and values that they meet.
struct PredicateWorld {
  var generator: SeededGenerator

  private static let keys = ["a", "b", "count", "odd key", "0"]
  private static let texts = ["", "a", "b", "ab", "flip", "é"]

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  mutating func value(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
    case 0: return .null
    case 1: return .bool(generator.chance(0.5))
    case 2, 3: return .number(JSON.Number(Int64(pick([-1, 0, 1, 2, 9_007_199_254_740_993]))))
    case 4: return .string(pick(Self.texts))
    case 5: return .array((0..<pick([0, 1, 2, 3])).map { _ in value(depth: depth - 1) })
    default: return object(depth: depth - 1)
    }
  }

  mutating func object(depth: Int) -> JSON {
    var object = JSON.Object()
    for key in Self.keys where generator.chance(0.6) { object[key] = value(depth: depth) }
    return .object(object)
  }

  mutating func path(_ roots: [Predicate.Root]) -> Predicate.Path {
    let steps = (0..<pick([0, 1, 1, 2, 3])).map { _ in
      generator.chance(0.7)
        ? Predicate.Step.key(pick(Self.keys)) : .index(pick([0, 1, 2]))
    }
    return Predicate.Path(pick(roots), steps)
  }

  /// A path that may have `[*]`.
  mutating func pathOfMany(_ roots: [Predicate.Root]) -> Predicate.Path {
    var path = path(roots)
    if generator.chance(0.3) {
      path.steps.insert(.each, at: pick(Array(0...path.steps.count)))
      if generator.chance(0.3) { path.steps.insert(.each, at: pick(Array(0...path.steps.count))) }
    }
    return path
  }

  mutating func operand() -> Predicate.Operand {
    if generator.chance(0.1) {
      return .sum(
        (0..<pick([1, 2])).map { _ in pathOfMany([.seq, .state, .outputs, .beforeState]) })
    }
    if generator.chance(0.6) {
      return .path(
        pathOfMany([.event, .event, .name, .seq, .state, .outputs, .beforeState, .beforeOutputs]))
    }
    switch value(depth: 0) {
    case .bool(let bool): return .literal(.bool(bool))
    case .number(let number): return .literal(.number(number))
    case .string(let text): return .literal(.string(text))
    default: return .literal(.null)
    }
  }

  mutating func expression(depth: Int) -> Predicate.Expression {
    switch Int.random(in: 0..<(depth > 0 ? 13 : 8), using: &generator) {
    case 0: return .value(operand())
    case 1, 2: return .compare(operand(), pick(Predicate.Comparison.allCases), operand())
    case 3:
      return generator.chance(0.5)
        ? .contains(operand(), operand()) : .includes(operand(), operand())
    case 4:
      let pattern = try? Pattern(pick(["a", "^a*$", "[^b]", "é|f"]))
      return pattern.map { .matches(operand(), $0) } ?? .value(operand())
    case 5, 6: return .changed(path([.state, .outputs]))
    case 7: return .anywhere(leafTest())
    case 8, 9: return .not(expression(depth: depth - 1))
    case 10, 11: return .all((0..<pick([2, 3])).map { _ in expression(depth: depth - 1) })
    default: return .any((0..<pick([2, 3])).map { _ in expression(depth: depth - 1) })
    }
  }

  mutating func leafTest() -> Predicate.LeafTest {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      return .contains(.string(pick(Self.texts)))
    case 1:
      return (try? Pattern(pick(["^a.$", "lip", "é|f"]))).map { .matches($0) }
        ?? .contains(.string("a"))
    default:
      let literals: [Predicate.Literal] = [
        .null, .bool(true), .number(JSON.Number(Int64(2))),
        .number(JSON.Number(Int64(9_007_199_254_740_993))),
        .string("flip"), .string("é"),
      ]
      return .compare(
        pick(Predicate.Comparison.allCases.filter { $0 != .notEqual }), pick(literals))
    }
  }

  /// The value with some of it changed, so that patches have several operations.
  mutating func changed(_ value: JSON, depth: Int) -> JSON {
    if generator.chance(0.25) { return self.value(depth: depth) }
    switch value {
    case .object(var object):
      for key in object.keys where generator.chance(0.4) {
        object[key] = generator.chance(0.2) ? nil : changed(object[key] ?? .null, depth: depth - 1)
      }
      return .object(object)
    case .array(var array):
      for index in array.indices where generator.chance(0.4) {
        array[index] = changed(array[index], depth: depth - 1)
      }
      if generator.chance(0.4), !array.isEmpty { array.removeFirst() }
      if generator.chance(0.4) { array.insert(self.value(depth: 0), at: 0) }
      return .array(array)
    default: return value
    }
  }

  /// A captured, thinned or first entry, and what the naive evaluation knows of it.
  mutating func moment() throws -> (subject: EntrySubject, naive: NaivePredicate) {
    let seq = Int64(pick([0, 1, 2]))
    let before = Snapshot(state: value(depth: 3), outputs: object(depth: 1))
    let after = Snapshot(
      state: changed(before.state, depth: 2), outputs: changed(before.outputs, depth: 1))
    let event: JSON? = generator.chance(0.1) ? nil : value(depth: 2)
    let isThinned = generator.chance(0.3)
    let knowsBefore = !isThinned || generator.chance(0.5)
    var line: JSON.Object = JSON.Object()
    line["seq"] = .number(JSON.Number(seq))
    line["t"] = 0
    line["event"] = event
    if !isThinned, generator.chance(0.7), seq > 0 {
      line["patch"] = Patch.difference(from: before.state, to: after.state).json
      let outputs = Patch.difference(from: before.outputs, to: after.outputs)
      if outputs.json != [] { line["outputs"] = outputs.json }
    }
    let subject = EntrySubject(
      entry: try JSONSlice(validating: JSON.object(line).encoded()),
      before: seq == 0 ? SideValues.none : try side(knowsBefore ? before : nil),
      after: try side(isThinned ? nil : after))
    let naive = NaivePredicate(
      event: event, seq: seq, before: knowsBefore ? before : nil, after: isThinned ? nil : after)
    return (subject, naive)
  }

  private func side(_ snapshot: Snapshot?) throws -> SideValues {
    guard let snapshot else { return .unknown }
    return .known(
      state: .text(try JSONSlice(validating: snapshot.state.encoded())),
      outputs: .text(try JSONSlice(validating: snapshot.outputs.encoded())))
  }
}
