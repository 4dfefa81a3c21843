internal import JSONCore

extension FuzzTarget {
  /// The bytes change a value, step by step. The incremental encoder gives the same result as a full
  /// encoding, and its patches lead from each value to the next.
  static let reuse = FuzzTarget(name: "reuse") { bytes in
    var program = bytes[...]
    var shelf = Shelf()
    var incremental = IncrementalEncoder<Shelf>()
    guard let start = try? incremental.start(shelf), var tree = try? JSON(parsing: start) else {
      return promise(false, "a value is encoded")
    }
    // More steps would not find more than more inputs, and each encodes everything.
    for _ in 0..<12 where !program.isEmpty {
      // A step has several changes, like an event.
      let changes = program.next() % 4
      for _ in 0...changes { shelf.change(&program) }
      tree = step(&incremental, to: shelf, from: tree)
    }
  }

  private static func step(
    _ incremental: inout IncrementalEncoder<Shelf>, to shelf: Shelf, from tree: JSON
  ) -> JSON {
    guard let full = try? CanonicalEncoder().encode(shelf), let next = try? JSON(parsing: full),
      let change = try? incremental.advance(to: shelf), let bytes = try? incremental.fullBytes()
    else {
      promise(false, "a value is encoded")
      return tree
    }
    promise(bytes == full, "a step gives what a full encoding gives")
    promise(incremental.byteCount == full.count, "the number of bytes is known")
    promise(change.isEmpty == (tree == next), "a step is empty when nothing changed")
    guard let patch = try? JSON(parsing: change.patch), let operations = try? Patch(patch) else {
      promise(false, "a step's change is a patch")
      return tree
    }
    promise((try? tree.applying(operations)) == next, "a patch leads to the next value")
    promise(
      change.patch.count <= #"[{"op":"replace","path":"","value":}]"#.utf8.count + full.count,
      "a patch is no longer than replacing the whole")
    return next
  }
}

/// Parts that the encoder may reuse, and parts that it must not.
private struct Shelf: Encodable {
  var title = ""
  var books: [Book] = (0..<40).map { Book(id: $0) }
  var counts: [Int] = Array(0..<64)
  var bytes: [UInt8] = []
  var flags: [Bool] = Array(repeating: false, count: 50)
  var weights: [Double] = Array(repeating: 0, count: 40)
  var words: [String] = Array(repeating: "a word that needs storage of its own", count: 30)
  var byName: [String: Book] = [:]
  var byNumber: [Int: [Int]] = [:]
  var tags: Set<String> = []
  var rows: [[Int]] = Array(repeating: Array(0..<20), count: 20)
  var spare: [Book]?
  var counter = Counter()

  /// Makes the change that the next bytes encode.
  mutating func change(_ program: inout ArraySlice<UInt8>) {
    let (what, at, with) = (program.next(), Int(program.next()), Int(program.next()))
    switch what % 18 {
    case 0: title = String(repeating: "\"t/~\u{E9}\n", count: with)
    case 1: books.edit(at, with, new: Book(id: with)) { $0.change(with) }
    case 2: counts.edit(at, with, new: with) { $0 &+= with }
    case 3: bytes.edit(at, with, new: UInt8(with)) { $0 &+= 1 }
    case 4: flags.edit(at, with, new: true) { $0.toggle() }
    case 5: weights.edit(at, with, new: -0.0) { $0 = $0 == 0 ? -$0 : Double(with) / 8 }
    case 6:
      words.edit(at, with, new: "e\u{301}") { $0 = with % 2 == 0 ? "\u{E9}" : "e\u{301}\(with)" }
    case 7: byName["k/\(at)~\""] = with % 3 == 0 ? nil : Book(id: with)
    case 8: byName["k/\(at)~\""]?.change(with)
    case 9: byNumber[at - 128] = with % 3 == 0 ? nil : Array(0..<with)
    case 10: byNumber[at - 128]?.edit(with, at, new: 0) { $0 += 1 }
    case 11: tags.formSymmetricDifference(["tag \(at)"])
    case 12: rows.edit(at, with, new: [with]) { $0.edit(with, at, new: 1) { $0 += 1 } }
    case 13: spare = spare == nil ? books : nil
    case 14: spare?.edit(at, with, new: Book(id: with)) { $0.change(with) }
    case 15: counter.value += with
    case 16: if !books.isEmpty { books.swapAt(at % books.count, with % books.count) }
    default: for number in 0..<(at % 64) { byName["n\(number)"] = Book(id: with) }
    }
  }
}

private struct Book: Encodable {
  var id: Int
  var isOpen = false
  var size = Int32(0)
  var price = 1.5
  var name = "a book with a name of some length"
  var pages: [Int]?
  var note: String?

  mutating func change(_ number: Int) {
    switch number % 7 {
    case 0: id += 1
    case 1: isOpen.toggle()
    case 2: size &+= Int32(number)
    case 3: price = Double(number) / 3
    case 4: name = String(repeating: "n", count: number)
    case 5: pages = pages == nil ? Array(0..<number) : nil
    default: note = note == nil ? "note \(number)" : nil
    }
  }
}

/// A class whose instances change in place.
private final class Counter: Encodable {
  var value = 0
}

extension ArraySlice<UInt8> {
  fileprivate mutating func next() -> UInt8 { popFirst() ?? 0 }
}

extension Array {
  /// Inserts, removes, changes, or repeats at an index; limited, so that the steps stay short.
  fileprivate mutating func edit(
    _ index: Int, _ number: Int, new: Element, _ change: (inout Element) -> Void
  ) {
    let place = isEmpty ? 0 : index % count
    switch (index ^ number) % 5 {
    case 0 where count < 300: insert(new, at: place)
    case 1 where !isEmpty: remove(at: place)
    case 2 where count < 150: append(contentsOf: repeatElement(new, count: number))
    case 3: removeSubrange(place..<Swift.min(count, place + number / 8))
    default: if !isEmpty { change(&self[place]) }
    }
  }
}
