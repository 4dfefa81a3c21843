/// What connections share of the files that they have open: locks, and the memory beside a log.
struct OpenFiles {
  /// The locks of a file, by the connections that have them.
  struct Locks {
    var shared: Set<Int> = []
    var reserved: Int?
    var pending: Int?
    var exclusive: Int?
  }

  /// One of the eight locks in the memory beside a log.
  struct SlotLock {
    var shared: Set<Int> = []
    var exclusive: Int?
  }

  /// The memory beside a log, and who uses it.
  struct SharedMemory {
    var regions: [SharedRegion] = []
    var slots = [SlotLock](repeating: SlotLock(), count: 8)
    var users: Set<Int> = []
  }

  private var nextHandle = 0
  var locks: [Int: Locks] = [:]
  var memory: [Int: SharedMemory] = [:]

  mutating func makeHandle() -> Int {
    nextHandle += 1
    return nextHandle
  }

  /// Takes a lock of SQLite's levels 1 (shared), 2 (reserved) and 4 (exclusive); `false` when another
  /// connection is in the way.
  mutating func lock(_ file: Int, _ handle: Int, level: Int32) -> Bool {
    var locks = locks[file] ?? Locks()
    defer { self.locks[file] = locks }
    switch level {
    case 1:
      if let other = locks.pending ?? locks.exclusive, other != handle { return false }
      locks.shared.insert(handle)
      return true
    case 2:
      guard locks.reserved == nil || locks.reserved == handle else { return false }
      locks.reserved = handle
      return true
    default:
      guard locks.pending == nil || locks.pending == handle else { return false }
      locks.pending = handle
      guard locks.shared.subtracting([handle]).isEmpty else { return false }
      locks.exclusive = handle
      return true
    }
  }

  /// Goes down to level 1 or 0.
  mutating func unlock(_ file: Int, _ handle: Int, level: Int32) {
    guard var locks = locks[file] else { return }
    if locks.reserved == handle { locks.reserved = nil }
    if locks.pending == handle { locks.pending = nil }
    if locks.exclusive == handle { locks.exclusive = nil }
    if level == 0 { locks.shared.remove(handle) }
    self.locks[file] = locks
  }

  func isReserved(_ file: Int) -> Bool { locks[file]?.reserved != nil }

  /// Takes or releases slots of the memory; `false` when another connection is in the way.
  mutating func change(
    _ file: Int, _ handle: Int, slots: Range<Int>, isLock: Bool, isShared: Bool
  ) -> Bool {
    var memory = memory[file] ?? SharedMemory()
    if isLock {
      for slot in slots {
        if let other = memory.slots[slot].exclusive, other != handle { return false }
        guard isShared || memory.slots[slot].shared.subtracting([handle]).isEmpty else {
          return false
        }
      }
    }
    for slot in slots {
      switch (isLock, isShared) {
      case (true, true): memory.slots[slot].shared.insert(handle)
      case (true, false): memory.slots[slot].exclusive = handle
      case (false, true): memory.slots[slot].shared.remove(handle)
      case (false, false):
        if memory.slots[slot].exclusive == handle { memory.slots[slot].exclusive = nil }
        memory.slots[slot].shared.remove(handle)
      }
    }
    self.memory[file] = memory
    return true
  }
}

/// Memory that connections share. Safe: SQLite's own locks and barriers guard what is in it.
final class SharedRegion: @unchecked Sendable {
  let bytes: UnsafeMutableRawPointer

  init(size: Int) {
    bytes = .allocate(byteCount: size, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  deinit { bytes.deallocate() }
}
