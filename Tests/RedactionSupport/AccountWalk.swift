import TestSupport

/// A seeded walk through accounts.
package struct AccountWalk {
  private var generator: SeededGenerator
  private let pins: ClosedRange<Int>
  package private(set) var state = Account()
  /// The secrets so far, which must not be visible.
  package var secrets: [String] = []

  /// - Parameter pins: Long enough not to occur by chance in what is searched for them.
  package init(seed: UInt64, pins: ClosedRange<Int> = 100_000...99_999_999) {
    generator = SeededGenerator(seed: seed)
    self.pins = pins
  }

  package mutating func secret() -> String {
    // Sometimes an earlier one.
    if Int.random(in: 0..<4, using: &generator) == 0,
      let old = secrets.randomElement(using: &generator)
    {
      return old
    }
    let text = "s\(Int.random(in: 10_000_000...4_000_000_000, using: &generator))k"
    secrets.append(text)
    return text
  }

  /// A visible text, sometimes a secret.
  package mutating func text() -> String {
    let known = secrets.randomElement(using: &generator) ?? "wörld9"
    return ["hello", "of \(known)!", "\(known)", "\(number())", ""].randomElement(using: &generator)
      ?? ""
  }

  private mutating func number() -> Int { Int.random(in: 0..<100, using: &generator) }

  /// Changes the state.
  package mutating func step() {
    let index = state.rows.indices.randomElement(using: &generator) ?? 0
    switch Int.random(in: 0..<15, using: &generator) {
    case 0: state.token = secret()
    case 1:
      state.pin = Int.random(in: pins, using: &generator)
      secrets.append("\(state.pin)".trimmingZeros)
    case 2: state.phrase = secret()
    case 3: state.rows.append(.init(id: number(), note: text(), key: secret()))
    case 4: state.rows.append(.init(id: number(), note: text()))
    case 5: state.rows.insert(.init(id: number(), note: text()), at: index)
    case 6 where !state.rows.isEmpty: state.rows.remove(at: index)
    case 7 where !state.rows.isEmpty: state.rows[index].note = text()
    case 8 where !state.rows.isEmpty: state.rows[index].key = secret()
    case 9: state.names["k\(number() % 5)"] = text()
    case 10:
      if let old = secrets.randomElement(using: &generator), old.utf8.count >= 8 {
        state.names["name \(old)"] = "known"
      }
    case 11: state.names["k\(number() % 5)"] = nil
    case 12: state.number = number()
    case 13: state.number = state.pin
    default: state.log.append(text())
    }
    if state.log.count > 12 { state.log.removeFirst() }
    if state.names.count > 6 { state.names = [:] }
  }
}

extension String {
  var trimmingZeros: String {
    var digits = self
    while digits.count > 6, digits.hasSuffix("0") { digits.removeLast() }
    return digits
  }
}
