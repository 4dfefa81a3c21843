internal import JSONCore
internal import Predicates
internal import Synchronization
internal import Timelines
internal import Wire

/// The named filters and the invariants, by type of machine, in a private file next to the store.
///
/// They are settings, not recordings: they survive a store that was recovered or deleted.
actor FilterBook {
  /// The maximum number of filters and invariants of one type of machine, and of all.
  static let maximum = (ofMachine: 100, all: 1_000)

  /// More than that many filters with the longest texts, escaped, take.
  private static let fileLimit = 16 << 20

  fileprivate struct Filter {
    var machine: String
    var name: String
    var predicate: Predicate
    var isInvariant = false

    func isOf(_ machine: String, isInvariant: Bool) -> Bool {
      self.isInvariant == isInvariant && self.machine.utf8.elementsEqual(machine.utf8)
    }
  }

  private struct Contents {
    var filters: [Filter] = []
    /// Elements that this build cannot read, such as those of a newer one. They stay as they are.
    var unread: [JSONSlice] = []

    var count: Int { filters.count + unread.count }

    mutating func remove(_ name: String, of machine: String, isInvariant: Bool) {
      filters.removeAll {
        $0.isOf(machine, isInvariant: isInvariant) && $0.name.utf8.elementsEqual(name.utf8)
      }
      unread.removeAll { element in
        (element["always"]?.bool == true) == isInvariant
          && element["machine"]?.string?.utf8.elementsEqual(machine.utf8) == true
          && element["name"]?.string?.utf8.elementsEqual(name.utf8) == true
      }
    }
  }

  private let file: PrivateFile
  private var contents: Contents?
  /// Whether there may be invariants, for callers that do not wait.
  nonisolated let mayHaveInvariants = Atomic(true)

  init(folder: String) {
    file = PrivateFile(folder + "/filters.json")
  }

  /// Keeps or removes a filter if the request names one, and lists those of the machine.
  func answer(_ asked: FromInspector.Filters) throws -> ToInspector.Filters {
    try TextLimit.check(asked.machine, path: "machine")
    var all = try contents ?? load()
    if let name = asked.name {
      all = try Self.changed(all, asked, Self.canonical(name, asked))
      try file.replace(with: Self.bytes(of: all))
    } else if asked.predicate != nil {
      throw Refusal(.wrongValue, "A filter needs a name.", path: "name")
    }
    remember(all)
    let found = all.filters.filter { $0.isOf(asked.machine, isInvariant: asked.always) }
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
    let all = try contents ?? load()
    remember(all)
    return all.filters.filter { $0.isOf(machine, isInvariant: true) }.sorted { $0.name < $1.name }
      .map { ($0.name, $0.predicate) }
  }

  private func remember(_ all: Contents) {
    contents = all
    mayHaveInvariants.store(all.filters.contains(where: \.isInvariant), ordering: .relaxed)
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
    _ all: Contents, _ asked: FromInspector.Filters, _ name: String
  ) throws(Refusal) -> Contents {
    let what = asked.always ? "invariant" : "filter"
    guard !name.isEmpty else {
      throw Refusal(
        .wrongValue, "\(asked.always ? "An" : "A") \(what) needs a name.", path: "name")
    }
    try TextLimit.check(name, path: "name")
    var rest = all
    rest.remove(name, of: asked.machine, isInvariant: asked.always)
    let others = rest.filters.filter { $0.isOf(asked.machine, isInvariant: asked.always) }
    guard let predicate = asked.predicate else {
      guard rest.count < all.count else {
        throw Refusal(.notFound, Self.missing(name, what, among: others), path: "name")
      }
      return rest
    }
    guard others.count < maximum.ofMachine, rest.filters.count < maximum.all else {
      throw Refusal(
        .limit,
        "The daemon keeps at most \(maximum.ofMachine) \(what)s of a machine, and \(maximum.all) in all. To keep another one, delete one.",
        path: "name")
    }
    rest.filters.append(
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
    "'\(name.cut(toScalars: 40))'"
  }

  private func load() throws(PrivateFileError) -> Contents {
    guard let bytes = try file.read(limit: Self.fileLimit) else { return Contents() }
    guard let text = try? JSONSlice(validating: bytes), let list = text["filters"],
      list.kind == .array
    else { throw PrivateFileError(.content("filters"), path: file.path) }
    var contents = Contents()
    for element in list.elements {
      if contents.filters.count < Self.maximum.all, let filter = Filter(element) {
        contents.filters.append(filter)
      } else {
        contents.unread.append(element)
      }
    }
    return contents
  }

  private static func bytes(of contents: Contents) -> [UInt8] {
    let known = contents.filters.map { $0.json.encoded() }
    let elements = known + contents.unread.map { Array($0.bytes) }
    let list = elements.joined(separator: [UInt8(ascii: ",")])
    return Array(#"{"filters":["#.utf8) + list + Array("]}\n".utf8)
  }
}

extension FilterBook.Filter {
  /// An element of the file; `nil` if this build cannot read it.
  fileprivate init?(_ element: JSONSlice) {
    guard let machine = element["machine"]?.string, let name = element["name"]?.string,
      let predicate = element["predicate"]?.string.flatMap({ try? Predicate($0) })
    else { return nil }
    self.init(
      machine: machine, name: name, predicate: predicate,
      isInvariant: element["always"]?.bool == true)
  }

  fileprivate var json: JSON {
    var object = JSON.Object()
    object["machine"] = .string(machine)
    object["name"] = .string(name)
    object["predicate"] = .string(predicate.description)
    if isInvariant { object["always"] = .bool(true) }
    return .object(object)
  }
}
