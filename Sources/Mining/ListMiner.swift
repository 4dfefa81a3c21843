package import JSONCore
package import Predicates
internal import Wire

/// Finds conditions between numbers and lists that held in recordings, entry by entry, without keeping
/// entries: a number is the sum of others or of a list, and a list contains a value or another list.
///
/// ```swift
/// var miner = ListMiner(scalars: scalars, lists: lists)
/// for row in rows { miner.add(scalars: row.scalars, lists: row.lists) }
/// for invariant in miner.invariants { … }
/// ```
package struct ListMiner: Sendable {
  /// What is known of a condition that could have been broken at some entries.
  private struct Trial: Sendable {
    var support = 0
    /// Whether the values were worth a condition: not always the same, or empty.
    var hasSubstance = false
    var isBroken = false

    mutating func add(_ holds: Bool, substance: Bool = true) {
      support += 1
      if substance { hasSubstance = true }
      if !holds { isBroken = true }
    }
  }

  private struct Pair: Hashable {
    var whole: Int
    var part: Int
  }

  private let scalars: [Predicate.Path]
  private let lists: [Predicate.Path]
  private var values: [ValueSummary]
  private var listSums: [Pair: Trial] = [:]
  private var contained: [Pair: Trial] = [:]
  private var included: [Pair: Trial] = [:]
  private var sums: [Trial] = []
  /// The numbers that may be sums of two others, with these two.
  private var addends: [(sum: Int, left: Int, right: Int)] = []

  package static let listLimit = 12
  /// The maximum number of numbers whose sums are tried: there are as many as its cube.
  private static let addendLimit = 12
  /// The maximum number of elements of a list.
  package static let elementLimit = 256
  private static let supportLimit = 5

  /// - Parameters:
  ///   - scalars: paths of single values.
  ///   - lists: paths of lists of single values, `state.items[*].cents` or `state.ids`.
  package init(scalars: [Predicate.Path], lists: [Predicate.Path]) {
    self.scalars = Array(scalars.prefix(InvariantMiner.pathLimit))
    self.lists = Array(lists.prefix(Self.listLimit))
    values = Array(repeating: ValueSummary(), count: self.scalars.count)
  }

  /// Adds the values after an entry; `nil` for a list that is not there, or too long.
  package mutating func add(scalars row: [JSON], lists: [[JSON]?]) {
    guard row.count >= scalars.count, lists.count >= self.lists.count else { return }
    if addends.isEmpty { chooseAddends(row) }
    for index in values.indices { values[index].add(row[index]) }
    for (index, one) in addends.enumerated() where !sums[index].isBroken {
      guard let sum = row[one.sum].double, let left = row[one.left].double,
        let right = row[one.right].double
      else { continue }
      sums[index].add(left + right == sum, substance: left != 0 && right != 0)
    }
    for (place, list) in lists.prefix(self.lists.count).enumerated() {
      guard let list else { continue }
      addSum(of: list, at: place, row)
      for (other, part) in lists.prefix(self.lists.count).enumerated() where other != place {
        guard let part else { continue }
        update(&included, Pair(whole: place, part: other)) {
          $0.add(part.allSatisfy(list.contains), substance: !part.isEmpty)
        }
      }
      for (index, value) in row.prefix(scalars.count).enumerated() where value != .null {
        update(&contained, Pair(whole: place, part: index)) { $0.add(list.contains(value)) }
      }
    }
  }

  private mutating func addSum(of list: [JSON], at place: Int, _ row: [JSON]) {
    var sum = 0.0
    for element in list {
      guard let number = element.double else { return }
      sum += number
    }
    for (index, value) in row.prefix(scalars.count).enumerated() {
      guard let number = value.double else { continue }
      update(&listSums, Pair(whole: index, part: place)) {
        $0.add(number == sum, substance: list.count > 1)
      }
    }
  }

  private func update(
    _ trials: inout [Pair: Trial], _ pair: Pair, _ body: (inout Trial) -> Void
  ) {
    guard trials[pair]?.isBroken != true else { return }
    body(&trials[pair, default: Trial()])
  }

  private mutating func chooseAddends(_ row: [JSON]) {
    let numbers = row.indices.prefix(scalars.count).filter { row[$0].double != nil }
      .prefix(Self.addendLimit)
    for sum in numbers {
      for left in numbers where left != sum {
        for right in numbers where right > left && right != sum {
          addends.append((sum, left, right))
        }
      }
    }
    sums = Array(repeating: Trial(), count: addends.count)
  }

  // MARK: What held

  /// What held at all entries, sums first.
  package var invariants: [Invariant] {
    ofLists + ofNumbers + ofMembers + ofIncluded
  }

  private func invariant(_ kind: InvariantKind, _ text: String, _ trial: Trial) -> Invariant? {
    (try? Predicate(text)).map { Invariant(kind, $0, support: trial.support) }
  }

  private func held(_ trials: [Pair: Trial]) -> [(Pair, Trial)] {
    trials.filter { Self.isWorthwhile($0.value) }
      .sorted { ($0.key.whole, $0.key.part) < ($1.key.whole, $1.key.part) }
      .map { ($0.key, $0.value) }
  }

  private static func isWorthwhile(_ trial: Trial) -> Bool {
    !trial.isBroken && trial.hasSubstance && trial.support >= supportLimit
  }

  private var ofLists: [Invariant] {
    held(listSums).compactMap { pair, trial in
      guard values[pair.whole].varies else { return nil }
      return invariant(.sum, "\(scalars[pair.whole]) == sum(\(lists[pair.part]))", trial)
    }
  }

  private var ofNumbers: [Invariant] {
    zip(addends, sums).compactMap { one, trial in
      guard Self.isWorthwhile(trial), values[one.sum].varies, values[one.left].varies,
        values[one.right].varies
      else { return nil }
      let parts = "sum(\(scalars[one.left]), \(scalars[one.right]))"
      return invariant(.sum, "\(scalars[one.sum]) == \(parts)", trial)
    }
  }

  private var ofMembers: [Invariant] {
    held(contained).compactMap { pair, trial in
      let value = values[pair.part]
      // A value that is always the same, or a number that counts something, is in a list by chance.
      guard !value.isConstant, value.isIdentifying else { return nil }
      let condition = "\(lists[pair.whole]) contains \(scalars[pair.part])"
      return invariant(
        .inclusion, value.hasNull ? "\(scalars[pair.part]) == null || \(condition)" : condition,
        trial)
    }
  }

  private var ofIncluded: [Invariant] {
    held(included).compactMap { pair, trial in
      invariant(.inclusion, "\(lists[pair.whole]) includes \(lists[pair.part])", trial)
    }
  }
}

extension JSON {
  fileprivate var double: Double? {
    if case .number(let number) = self { number.double } else { nil }
  }
}
