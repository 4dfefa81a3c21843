import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a host process has computed and not yet sent, in memory that the handler of a fatal signal
/// can write out: so the trap of a reducer is answered with the entry that caused it, and what came
/// before is not lost.
///
/// There is one, because signals belong to the process. Everything it allocates is allocated when it
/// is installed or while entries are collected, never in the handler.
///
/// Safe: the session's thread alone changes the buffer; the handler reads it on the thread that
/// trapped. When that is the session's own, nothing else changes it then; when it is another one, the
/// process ends anyway, and the worst is a line that its reader cannot parse.
final class TrapSlot: @unchecked Sendable {
  /// The slot of this process.
  static let shared = TrapSlot()

  private var stream: Int32 = -1
  private var buffer: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity: Int
  private var entries = 0
  private let seq = Atomic<Int64>(0)
  private let isRunning = Atomic<Bool>(false)

  /// Ends the line when the handler writes it, around the digits of the seq.
  private let middle: UnsafeMutableBufferPointer<UInt8>
  private let end: UnsafeMutableBufferPointer<UInt8>

  private init() {
    // What a usual part has; it grows with larger ones.
    capacity = 512 << 10
    buffer = .allocate(capacity: capacity)
    middle = Self.bytes(#"],"ended":{"why":"trap","seq":"#)
    end = Self.bytes(
      #","message":"The reducer trapped at this entry; the host's own output says more."}}"# + "\n")
  }

  private static func bytes(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = copy.initialize(from: text.utf8)
    return copy
  }

  /// Begins to watch: fatal signals of this process are answered on that stream.
  func install(answeringOn stream: Int32) {
    self.stream = stream
    var action = sigaction()
    // A stack of its own for the handler, because a reducer may have used up the thread's.
    action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND))
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { TrapSlot.handle($0) }
    #else
      action.__sigaction_handler.sa_handler = { TrapSlot.handle($0) }
    #endif
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      sigaction(signal, &action, nil)
    }
  }

  /// Gives the thread that calls it a stack for the handler.
  static func prepareThread() {
    // As large as glibc's largest minimum, so that the widest registers fit.
    let size = 64 << 10
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// The next fatal signal is because of that entry; `head` begins the line that says so, up to the
  /// bracket of its entries.
  func begin(_ head: @autoclosure () -> [UInt8], at seq: Int64) {
    if !isRunning.load(ordering: .relaxed) {
      count = 0
      entries = 0
      append(head())
    }
    self.seq.store(seq, ordering: .relaxed)
    isRunning.store(true, ordering: .releasing)
  }

  /// An entry waits to be sent.
  func collect(_ line: [UInt8]) {
    if entries > 0 { append([UInt8(ascii: ",")]) }
    append(line)
    entries += 1
  }

  /// Nothing waits, and no entry is run.
  func clear() { isRunning.store(false, ordering: .releasing) }

  private func append(_ bytes: [UInt8]) {
    if count + bytes.count > capacity {
      let larger = max(2 * capacity, count + bytes.count)
      let new = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
      new.initialize(from: buffer, count: count)
      let old = buffer
      buffer = new
      capacity = larger
      old.deallocate()
    }
    bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return }
      (buffer + count).initialize(from: base, count: bytes.count)
    }
    count += bytes.count
  }

  /// Runs in the handler: nothing but loads and `write`.
  private static func handle(_ signal: Int32) {
    let slot = TrapSlot.shared
    if slot.isRunning.exchange(false, ordering: .acquiring) {
      slot.write(UnsafeRawPointer(slot.buffer), slot.count)
      slot.write(UnsafeRawPointer(slot.middle.baseAddress), slot.middle.count)
      slot.writeDigits(slot.seq.load(ordering: .relaxed))
      slot.write(UnsafeRawPointer(slot.end.baseAddress), slot.end.count)
    }
    // The action was reset on entry: so the process ends of what it would have ended of.
    raise(signal)
  }

  private func write(_ bytes: UnsafeRawPointer?, _ count: Int) {
    guard var bytes else { return }
    var left = count
    while left > 0 {
      #if canImport(Darwin)
        let written = Darwin.write(stream, bytes, left)
      #elseif canImport(Musl)
        let written = Musl.write(stream, bytes, left)
      #else
        let written = Glibc.write(stream, bytes, left)
      #endif
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return }
      bytes += written
      left -= written
    }
  }

  private func writeDigits(_ number: Int64) {
    // 19 digits are the most that a positive 64-bit integer has.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var place = 20
      var rest = number
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      write(UnsafeRawPointer(digits.baseAddress.map { $0 + place }), 20 - place)
    }
  }
}
