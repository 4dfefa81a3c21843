internal import JSONCore
internal import Predicates
internal import Synchronization
internal import Wire

/// The named filters and the invariants, by type of machine, in a private file next to the store.
///
/// They are settings, not recordings: they survive a store that was recovered or deleted.
actor FilterBook {
  /// The maximum number of filters and invariants of one type of machine, and of all.
  static let maximum = (ofMachine: 100, all: 1_000)

  /// More than that many filters with the longest texts, escaped, take.
  private static let fileLimit = 16 << 20

  private struct Filter {
    var machine: String
    var name: String
    var predicate: Predicate
    /// Whether it is an invariant.
    var isInvariant = false

    func isOf(_ machine: String, isInvariant: Bool) -> Bool {
      self.isInvariant == isInvariant && self.machine.utf8.elementsEqual(machine.utf8)
    }
  }

  private let file: PrivateFile
  private var filters: [Filter]?
  /// Whether there may be invariants, for callers that do not wait.
  nonisolated let mayHaveInvariants = Atomic(true)

  init(folder: String) {
    file = PrivateFile(folder + "/filters.json")
  }

  /// Keeps or removes a filter if the request names one, and lists those of the machine.
  func answer(_ asked: FromInspector.Filters) throws -> ToInspector.Filters {
    try TextLimit.check(asked.machine, path: "machine")
    var all = try filters ?? load()
    if let name = asked.name {
      all = try Self.changed(all, asked, Self.canonical(name, asked))
      try file.replace(with: Self.bytes(of: all))
    } else if asked.predicate != nil {
      throw Refusal(.wrongValue, "A filter needs a name.", path: "name")
    }
    remember(all)
    let found = all.filter { $0.isOf(asked.machine, isInvariant: asked.always) }
    return ToInspector.Filters {
      $0.filters = found.sorted { $0.name < $1.name }.map { filter in
        ToInspector.NamedFilter {
          $0.name = filter.name
          $0.predicate = filter.predicate.description
        }
      }
    }
  }

  /// The invariants of a type of machine, by name.
  func invariants(of machine: String) throws -> [(name: String, predicate: Predicate)] {
    let all = try filters ?? load()
    remember(all)
    return all.filter { $0.isOf(machine, isInvariant: true) }.sorted { $0.name < $1.name }
      .map { ($0.name, $0.predicate) }
  }

  private func remember(_ all: [Filter]) {
    filters = all
    mayHaveInvariants.store(all.contains(where: \.isInvariant), ordering: .relaxed)
  }

  /// The name under which a filter is kept. The text of an invariant is its name unless it has another
  /// one; both are then in the canonical spelling.
  private static func canonical(_ name: String, _ asked: FromInspector.Filters) -> String {
    guard asked.always, let text = try? Predicate(name).description,
      asked.predicate.map({ $0.description == text }) ?? true
    else { return name }
    return text
  }

  private static func changed(
    _ all: [Filter], _ asked: FromInspector.Filters, _ name: String
  ) throws(Refusal) -> [Filter] {
    let what = asked.always ? "invariant" : "filter"
    guard !name.isEmpty else {
      throw Refusal(
        .wrongValue, "\(asked.always ? "An" : "A") \(what) needs a name.", path: "name")
    }
    try TextLimit.check(name, path: "name")
    var rest = all.filter {
      !$0.isOf(asked.machine, isInvariant: asked.always) || !$0.name.utf8.elementsEqual(name.utf8)
    }
    guard let predicate = asked.predicate else {
      guard rest.count < all.count else {
        throw Refusal(
          .notFound,
          Self.missing(
            name, what, among: rest.filter { $0.isOf(asked.machine, isInvariant: asked.always) }),
          path: "name")
      }
      return rest
    }
    let ofMachine = rest.count { $0.isOf(asked.machine, isInvariant: asked.always) }
    guard ofMachine < maximum.ofMachine, rest.count < maximum.all else {
      throw Refusal(
        .limit,
        "The daemon keeps at most \(maximum.ofMachine) \(what)s of a machine, and \(maximum.all) in all. To keep another one, delete one.",
        path: "name")
    }
    rest.append(
      Filter(
        machine: asked.machine, name: name, predicate: predicate, isInvariant: asked.always))
    return rest
  }

  /// Says which filters or invariants there are instead of one.
  private static func missing(
    _ name: String, _ what: String, among all: [Filter]
  ) -> String {
    let names = all.map(\.name).sorted()
    let shown = names.prefix(5).map(quoted).joined(separator: ", ")
    let more = names.count > 5 ? ", and \(names.count - 5) more" : ""
    return "There is no \(what) \(quoted(name)): this machine has "
      + (names.isEmpty ? "no \(what)s." : "\(shown)\(more).")
  }

  private static func quoted(_ name: String) -> String {
    "'" + (name.count > 40 ? String(name.prefix(39)) + "…" : name) + "'"
  }

  private func load() throws(PrivateFileError) -> [Filter] {
    guard let bytes = try file.read(limit: Self.fileLimit) else { return [] }
    guard let text = try? JSONSlice(validating: bytes), let list = text["filters"],
      list.kind == .array
    else { throw PrivateFileError(.content("filters"), path: file.path) }
    // One that this build cannot read is left out; the others still work.
    return list.elements.prefix(Self.maximum.all).compactMap { slice in
      guard let machine = slice["machine"]?.string, let name = slice["name"]?.string,
        let predicate = slice["predicate"]?.string.flatMap({ try? Predicate($0) })
      else { return nil }
      return Filter(
        machine: machine, name: name, predicate: predicate,
        isInvariant: slice["always"]?.bool == true)
    }
  }

  private static func bytes(of filters: [Filter]) -> [UInt8] {
    let list = filters.map { filter -> JSON in
      var object = JSON.Object()
      object["machine"] = .string(filter.machine)
      object["name"] = .string(filter.name)
      object["predicate"] = .string(filter.predicate.description)
      if filter.isInvariant { object["always"] = .bool(true) }
      return .object(object)
    }
    let file: JSON = ["filters": .array(list)]
    return file.encoded() + [UInt8(ascii: "\n")]
  }
}
