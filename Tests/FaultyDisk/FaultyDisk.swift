import Foundation
import Synchronization
package import TimelineStore

/// A disk in memory that fails at an operation and loses power at will.
///
/// SQLite uses it through a VFS of its own, the store through ``StoreDisk``; both count as one. The
/// name of the VFS is valid as long as this lives.
package final class FaultyDisk: StoreDisk {
  struct Shared {
    var state: DiskState
    var faults: DiskFaults?
    var bugs: Set<PlantedBug> = []
    var operations: [DiskOperation] = []
    var paths: [String] = []
    /// The operations so far, also without a history.
    var count = 0
    var keepsHistory = true
    /// The operation that failed first.
    var firstFault: Int?
    var isRecording = false
    var moments: [DiskState] = []
    var locks: [String: String] = [:]
    var openFiles = OpenFiles()
  }

  let shared: Protected<Shared>
  private let registration = Protected<VFSRegistration?>(nil)
  private let name: String

  /// A disk with that content, which no process has open.
  ///
  /// A disk without a history cannot list its operations, and does not grow with their number.
  package init(
    _ state: DiskState = DiskState(), bugs: Set<PlantedBug> = [], keepsHistory: Bool = true
  ) {
    shared = Protected(Shared(state: state, bugs: bugs, keepsHistory: keepsHistory))
    name = "faulty-\(Self.count.add(1, ordering: .relaxed).newValue)"
    registration.withLock { $0 = VFSRegistration(name, of: self) }
  }

  private static let count = Atomic<Int>(0)

  package var vfs: String? { name }

  package var state: DiskState {
    get { shared.withLock { $0.state } }
    set { shared.withLock { $0.state = newValue } }
  }

  /// The operations so far, when nothing failed those of the next run like it.
  package var operations: [DiskOperation] { shared.withLock { $0.operations } }

  /// How many operations there were.
  package var operationCount: Int { shared.withLock { $0.count } }

  /// An operation in words.
  package func place(of number: Int) -> String {
    shared.withLock { shared in
      guard shared.paths.indices.contains(number) else { return "operation \(number)" }
      return
        "operation \(number): \(shared.operations[number].rawValue) \(shared.paths[number])"
    }
  }

  package var hasFailed: Bool { shared.withLock { $0.firstFault != nil } }

  /// Has operations fail from now on; `nil` repairs the disk.
  package func fail(_ faults: DiskFaults?) {
    shared.withLock { $0.faults = faults }
  }

  /// Keeps the disk as it is at each sync from now on, for losses of power.
  package func record() {
    shared.withLock { $0.isRecording = true }
  }

  /// The moments that were recorded, and now.
  package var moments: [DiskState] {
    shared.withLock { $0.moments + [$0.state] }
  }

  /// Notes how much was acknowledged, and keeps that moment, too.
  package func mark(_ note: Int) {
    shared.withLock { shared in
      shared.state.note = note
      if shared.isRecording { shared.moments.append(shared.state) }
    }
  }
}

extension FaultyDisk.Shared {
  /// Counts an operation, and decides whether it fails.
  mutating func strikes(_ operation: DiskOperation, _ path: String) -> DiskFaults.Kind? {
    let number = count
    count += 1
    if keepsHistory {
      operations.append(operation)
      paths.append(path)
    }
    if operation == .sync, isRecording { moments.append(state) }
    guard let faults, faults.strikes(operation, number: number) else { return nil }
    if firstFault == nil { firstFault = number }
    return faults.kind
  }

  /// Counts an operation of the store's own.
  mutating func perform(_ operation: DiskOperation, _ path: String) throws(DiskError) {
    guard let kind = strikes(operation, path) else { return }
    throw DiskError(code: kind == .full ? ENOSPC : EIO, path: path)
  }

  mutating func syncFile(_ id: Int) {
    guard !bugs.contains(.filesNotSynced) else { return }
    state.files[id]?.sync()
  }

  mutating func syncFolder(_ path: String) {
    guard !bugs.contains(.foldersNotSynced) else { return }
    state.syncNames(in: path)
  }
}

// The store's own operations.
extension FaultyDisk {
  private func perform<Value>(
    _ operation: DiskOperation, _ path: String,
    _ body: (inout Shared) throws(DiskError) -> Value
  ) throws(DiskError) -> Value {
    try shared.withLock { shared throws(DiskError) in
      try shared.perform(operation, path)
      return try body(&shared)
    }
  }

  package func resolve(_ folder: String) throws(DiskError) -> String { folder }

  package func status(of path: String) throws(DiskError) -> FileStatus? {
    do {
      return try perform(.look, path) { shared in
        switch shared.state.names[path] {
        case nil: nil
        case .folder: FileStatus(size: 0, mode: 0o40700, owner: geteuid())
        case .file(let id):
          FileStatus(
            size: Int64(shared.state.files[id]?.content.count ?? 0), mode: 0o100600,
            owner: geteuid())
        }
      }
    } catch {
      if shared.withLock({ $0.bugs.contains(.errorsMeanMissing) }) { return nil }
      throw error
    }
  }

  package func names(in folder: String) throws(DiskError) -> [String] {
    do {
      return try perform(.list, folder) { shared throws(DiskError) in
        guard shared.state.names[folder] == .folder else {
          throw DiskError(code: ENOENT, path: folder)
        }
        return shared.state.names.keys
          .filter { $0 != "/" && DiskState.folder(of: $0) == folder }
          .map { String($0.dropFirst(folder == "/" ? 1 : folder.count + 1)) }
      }
    } catch {
      if shared.withLock({ $0.bugs.contains(.errorsMeanMissing) }) { return [] }
      throw error
    }
  }

  package func makeFolder(_ path: String) throws(DiskError) -> Bool {
    try perform(.makeFolder, path) { shared throws(DiskError) in
      switch shared.state.names[path] {
      case .folder: return false
      case .file: throw DiskError(code: ENOTDIR, path: path)
      case nil: break
      }
      guard shared.state.names[DiskState.folder(of: path)] == .folder else {
        throw DiskError(code: ENOENT, path: path)
      }
      _ = shared.state.make(path, isFolder: true)
      return true
    }
  }

  package func makeFile(_ path: String) throws(DiskError) {
    try perform(.create, path) { shared throws(DiskError) in
      _ = try shared.file(path)
    }
  }

  package func read(_ path: String, upTo count: Int) throws(DiskError) -> [UInt8] {
    try perform(.read, path) { shared throws(DiskError) in
      guard let content = shared.state.content(of: path) else {
        throw DiskError(code: ENOENT, path: path)
      }
      return Array(content.prefix(count))
    }
  }

  package func write(_ bytes: [UInt8], to path: String) throws(DiskError) {
    let id = try perform(.create, path) { shared throws(DiskError) in
      let id = try shared.file(path)
      shared.state.files[id]?.resize(0)
      return id
    }
    try perform(.write, path) { shared in shared.state.files[id]?.write(Data(bytes), at: 0) }
  }

  package func move(_ path: String, to other: String) throws(DiskError) {
    try perform(.move, path) { shared throws(DiskError) in
      guard let node = shared.state.names[path] else {
        throw DiskError(code: ENOENT, path: path)
      }
      shared.state.apply(.move(path, to: other, node))
    }
  }

  package func remove(_ path: String) throws(DiskError) {
    try perform(.remove, path) { shared in
      let inside = shared.state.names.keys.filter { $0.hasPrefix(path + "/") }
      for name in inside.sorted(by: >) { shared.state.apply(.remove(name)) }
      if shared.state.names[path] != nil { shared.state.apply(.remove(path)) }
    }
  }

  package func sync(_ path: String) throws(DiskError) {
    do {
      try perform(.sync, path) { shared throws(DiskError) in
        switch shared.state.names[path] {
        case nil: throw DiskError(code: ENOENT, path: path)
        case .folder: shared.syncFolder(path)
        case .file(let id): shared.syncFile(id)
        }
      }
    } catch {
      let isIgnored = shared.withLock { shared in
        if case .file(let id) = shared.state.names[path] { shared.state.files[id]?.failSync() }
        return shared.bugs.contains(.syncErrorsIgnored)
      }
      if !isIgnored { throw error }
    }
  }

  package func lock(_ path: String, storing text: String) throws(DiskError) -> DiskLocking {
    try perform(.create, path) { shared throws(DiskError) in
      let id = try shared.file(path)
      if let holder = shared.locks[path] { return .held(holder) }
      shared.locks[path] = text
      shared.state.files[id]?.resize(0)
      shared.state.files[id]?.write(Data(text.utf8), at: 0)
      return .taken(Lock(self, path))
    }
  }

  package func freeBytes(of folder: String) -> Int64? { nil }

  private final class Lock: DiskLock {
    private let disk: FaultyDisk
    private let path: String
    private let isReleased = Atomic(false)

    init(_ disk: FaultyDisk, _ path: String) {
      (self.disk, self.path) = (disk, path)
    }

    func release() {
      guard !isReleased.exchange(true, ordering: .relaxed) else { return }
      disk.shared.withLock { $0.locks[path] = nil }
    }

    deinit { release() }
  }
}

extension FaultyDisk.Shared {
  /// The file at a path, made when it is missing.
  fileprivate mutating func file(_ path: String) throws(DiskError) -> Int {
    switch state.names[path] {
    case .file(let id): return id
    case .folder: throw DiskError(code: EISDIR, path: path)
    case nil: break
    }
    guard state.names[DiskState.folder(of: path)] == .folder,
      case .file(let id) = state.make(path, isFolder: false)
    else { throw DiskError(code: ENOENT, path: path) }
    return id
  }
}
