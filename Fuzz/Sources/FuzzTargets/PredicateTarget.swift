internal import JSONCore
internal import Predicates
internal import Timelines

extension FuzzTarget {
  /// The first line is a predicate, the rest the line of an entry. Parsing errors are at a place inside
  /// it, a parsed predicate is written with the same meaning, and evaluating it never traps.
  static let predicate = FuzzTarget(name: "predicate") { bytes in
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: line, as: UTF8.self)
    let predicate: Predicate
    do throws(PredicateError) {
      predicate = try Predicate(text)
    } catch {
      promise((0...text.utf8.count).contains(error.offset), "an error's place is in the text")
      return promise(error.column >= 1, "columns are counted from one")
    }
    let again = try? Predicate(predicate.description)
    // The full form may be longer than the limit for input.
    promise(
      again == predicate || predicate.description.utf8.count > Predicate.maxBytes,
      "a predicate is read as it was written"
    )
    guard let entry = try? JSONSlice(validating: Array(bytes.dropFirst(line.count + 1))) else {
      return
    }
    let alone = predicate.evaluate(EntrySubject(entry: entry))
    promise(again.map { $0.evaluate(EntrySubject(entry: entry)) == alone } ?? true, "and means it")
    let state = entry["state"].map(JSONView.text) ?? .tree([:])
    let known = SideValues.known(state: state, outputs: .tree(entry.value))
    _ = predicate.evaluate(EntrySubject(entry: entry, before: known, after: known))
  }
}
