internal import Exploring
internal import JSONCore
internal import Wire

/// The events of an exploration by their numbers, which those of a `BreadthFirst` are: first the pool, in
/// its order, then variants with ids of states.
struct ExploredEvents: Sendable {
  private let pool: EventPool
  private(set) var slices: [JSONSlice] = []
  private(set) var counts: [Coverage.EventCount] = []
  private var names: [String] = []
  private var isSent: [Bool] = []

  /// Lists of variants, without duplicates, and which of them each state has.
  private var lists: [[UInt32]] = [[]]
  private var listNumbers: [[JSON]: UInt32] = [[]: 0]
  private var listsOfNodes: [UInt32] = []

  /// The events of a pool, which get the first numbers of a search.
  init(_ pool: EventPool, in search: inout BreadthFirst) throws {
    self.pool = pool
    for event in pool.events { _ = try add(event, in: &search) }
  }

  /// Adds an event; returns its number.
  mutating func add(_ event: PoolEvent, in search: inout BreadthFirst) throws -> UInt32 {
    let number = search.number(of: event.event)
    guard Int(number) == slices.count else { return number }
    slices.append(try event.event.slice)
    names.append(event.name)
    isSent.append(true)
    counts.append(Coverage.EventCount())
    return number
  }

  /// Sets the ids that a state has; each state of the search has its turn, in order.
  mutating func addState(withIDs ids: [JSON], in search: inout BreadthFirst) throws {
    if let known = listNumbers[ids] { return listsOfNodes.append(known) }
    let number = UInt32(lists.count)
    lists.append(try pool.variants(with: ids).map { try add($0, in: &search) })
    listNumbers[ids] = number
    listsOfNodes.append(number)
  }

  /// The numbers of the events to send for a task.
  func numbers(for task: BreadthFirst.Task) -> [UInt32] {
    let (plausible, all) = (UInt32(pool.plausibleCount), UInt32(pool.events.count))
    guard task.isPlausible else { return (plausible..<all).filter { isSent[Int($0)] } }
    let variants = lists[Int(listsOfNodes[task.node])]
    return (0..<plausible).filter { isSent[Int($0)] } + variants.filter { isSent[Int($0)] }
  }

  func name(_ number: UInt32) -> String { names[Int(number)] }

  mutating func count(_ number: UInt32, isEffective: Bool, isFailure: Bool) {
    counts[Int(number)].sent += 1
    if isEffective { counts[Int(number)].effects += 1 }
    if isFailure { counts[Int(number)].failures += 1 }
  }

  /// Leaves out what is no longer sent.
  mutating func drop(_ dropped: DroppedEvents, in search: BreadthFirst) {
    for number in isSent.indices where isSent[number] {
      isSent[number] = !dropped.contains(PoolEvent(search.event(UInt32(number))))
    }
  }

  /// Adds what was counted to a coverage.
  func add(to coverage: inout Coverage) {
    for (number, count) in counts.enumerated() where count.sent > 0 {
      coverage.add(names[number], count)
    }
  }
}
