/// What a disk holds: what every process sees, and what of it survives a loss of power.
///
/// A value, so that a copy of it is a moment to which a test can return.
package struct DiskState: Sendable {
  enum Node: Hashable, Sendable {
    case folder
    case file(Int)
  }

  /// A change of names that is not durable before its folder is synced.
  enum NameChange: Hashable, Sendable {
    case make(String, Node)
    case remove(String)
    case move(String, to: String, Node)

    /// The folder whose sync makes it durable.
    var folder: String {
      switch self {
      case .make(let path, _), .remove(let path), .move(_, let path, _):
        DiskState.folder(of: path)
      }
    }
  }

  var files: [Int: DiskFile] = [:]
  var names: [String: Node] = ["/": .folder]
  var durableNames: [String: Node] = ["/": .folder]
  var pendingNames: [NameChange] = []
  private var nextFile = 1

  /// What the test has noted, such as how much was acknowledged.
  package var note = 0

  /// An empty disk.
  package init() {}

  static func folder(of path: String) -> String {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  mutating func make(_ path: String, isFolder: Bool) -> Node {
    let node = isFolder ? Node.folder : .file(nextFile)
    if case .file(let id) = node {
      files[id] = DiskFile()
      nextFile += 1
    }
    apply(.make(path, node))
    return node
  }

  mutating func apply(_ change: NameChange) {
    Self.apply(change, to: &names)
    pendingNames.append(change)
  }

  static func apply(_ change: NameChange, to names: inout [String: Node]) {
    switch change {
    case .make(let path, let node): names[path] = node
    case .remove(let path): names[path] = nil
    case .move(let path, let other, let node):
      if names[path] == node { names[path] = nil }
      names[other] = node
    }
  }

  /// Makes the names in a folder durable.
  mutating func syncNames(in folder: String) {
    for change in pendingNames where change.folder == folder {
      Self.apply(change, to: &durableNames)
    }
    pendingNames.removeAll { $0.folder == folder }
  }

  /// Makes everything durable, as time does.
  package mutating func flush() {
    durableNames = names
    pendingNames = []
    for id in files.keys { files[id]?.flush() }
  }

  /// The content of a file.
  package func content(of path: String) -> [UInt8]? {
    guard case .file(let id) = names[path] else { return nil }
    return files[id]?.content
  }

  /// Replaces the content of a file that is there, as damage does: durably.
  package mutating func damage(_ path: String, _ change: (inout [UInt8]) -> Void) {
    guard case .file(let id) = names[path], var file = files[id] else { return }
    change(&file.content)
    file.flush()
    files[id] = file
  }

  /// The names of all files and folders.
  package var paths: [String] { names.keys.sorted() }
}

/// A file: its content, and the changes of it that are not durable.
struct DiskFile: Sendable {
  /// The unit that is written whole or not at all, unless it is torn.
  static let sector = 512

  enum Change: Sendable {
    /// Bytes within one sector. A failed sync may have dropped them: the system takes them for
    /// written, and the next sync does not write them.
    case write(Int, [UInt8], isDropped: Bool)
    case resize(Int)
  }

  var content: [UInt8] = []
  private(set) var durable: [UInt8] = []
  private(set) var pending: [Change] = []

  mutating func write(_ bytes: some Collection<UInt8>, at offset: Int) {
    Self.write(bytes, at: offset, to: &content)
    var rest = Array(bytes)[...]
    while let first = rest.indices.first {
      let place = offset + first
      let room = Self.sector - place % Self.sector
      pending.append(.write(place, Array(rest.prefix(room)), isDropped: false))
      rest = rest.dropFirst(room)
    }
  }

  mutating func resize(_ size: Int) {
    Self.resize(size, &content)
    pending.append(.resize(size))
  }

  mutating func sync() {
    var written: Set<Int> = []
    for case .write(let offset, _, false) in pending { written.insert(offset / Self.sector) }
    var rest: [Change] = []
    for change in pending {
      // A sector that is written again is written whole.
      if case .write(let offset, _, true) = change, !written.contains(offset / Self.sector) {
        rest.append(change)
      } else {
        Self.apply(change, to: &durable)
      }
    }
    pending = rest
  }

  mutating func failSync() {
    pending = pending.map { change in
      guard case .write(let offset, let bytes, _) = change else { return change }
      return .write(offset, bytes, isDropped: true)
    }
  }

  mutating func flush() {
    durable = content
    pending = []
  }

  static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let new, _): write(new, at: offset, to: &bytes)
    case .resize(let size): resize(size, &bytes)
    }
  }

  private static func resize(_ size: Int, _ bytes: inout [UInt8]) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }

  private static func write(
    _ new: some Collection<UInt8>, at offset: Int, to bytes: inout [UInt8]
  ) {
    if bytes.count < offset + new.count { resize(offset + new.count, &bytes) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }
}
