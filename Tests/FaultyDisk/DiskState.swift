import Foundation

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

  package func content(of path: String) -> [UInt8]? {
    guard case .file(let id) = names[path] else { return nil }
    return files[id].map { Array($0.content) }
  }

  /// Replaces the content of a file that is there, as damage does: durably.
  package mutating func damage(_ path: String, _ change: (inout [UInt8]) -> Void) {
    guard case .file(let id) = names[path], var file = files[id] else { return }
    var bytes = Array(file.content)
    change(&bytes)
    file.content = Data(bytes)
    file.flush()
    files[id] = file
  }

  /// The names of all files and folders.
  package var paths: [String] { names.keys.sorted() }
}

/// A file: its content, and the changes of it that are not durable.
///
/// Its bytes are `Data`, whose calls are as fast in a debug build as in any other: a simulation
/// writes megabytes of them.
struct DiskFile: Sendable {
  /// The unit that is written whole or not at all, unless it is torn.
  static let sector = 512

  enum Change: Sendable {
    /// Bytes within one sector. A failed sync may have dropped them: the system takes them for
    /// written, and the next sync does not write them.
    case write(Int, Data, isDropped: Bool)
    case resize(Int)
  }

  var content = Data()
  private(set) var durable = Data()
  private(set) var pending: [Change] = []
  /// Whether a failed sync may have dropped some of them.
  private var hasDropped = false

  mutating func write(_ bytes: Data, at offset: Int) {
    Self.write(bytes, at: offset, to: &content)
    var first = 0
    while first < bytes.count {
      let place = offset + first
      let end = min(bytes.count, first + Self.sector - place % Self.sector)
      let part = bytes.subdata(in: bytes.startIndex + first..<bytes.startIndex + end)
      pending.append(.write(place, part, isDropped: false))
      first = end
    }
  }

  mutating func resize(_ size: Int) {
    Self.resize(size, &content)
    pending.append(.resize(size))
  }

  mutating func sync() {
    guard hasDropped else {
      for change in pending { Self.apply(change, to: &durable) }
      return pending = []
    }
    hasDropped = false
    var written: Set<Int> = []
    for case .write(let offset, _, false) in pending { written.insert(offset / Self.sector) }
    var rest: [Change] = []
    for change in pending {
      // A sector that is written again is written whole.
      if case .write(let offset, _, true) = change, !written.contains(offset / Self.sector) {
        rest.append(change)
        hasDropped = true
      } else {
        Self.apply(change, to: &durable)
      }
    }
    pending = rest
  }

  mutating func failSync() {
    hasDropped = true
    pending = pending.map { change in
      guard case .write(let offset, let bytes, _) = change else { return change }
      return .write(offset, bytes, isDropped: true)
    }
  }

  mutating func flush() {
    durable = content
    pending = []
  }

  static func apply(_ change: Change, to bytes: inout Data) {
    switch change {
    case .write(let offset, let new, _): write(new, at: offset, to: &bytes)
    case .resize(let size): resize(size, &bytes)
    }
  }

  private static func resize(_ size: Int, _ bytes: inout Data) { bytes.count = size }

  private static func write(_ new: Data, at offset: Int, to bytes: inout Data) {
    if bytes.count < offset + new.count { resize(offset + new.count, &bytes) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }
}
