import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The entries that a host process has computed but not sent, in memory that the handler of a fatal
/// signal can write out. So the trap of a reducer is answered with the entry that caused it, and
/// the entries before it are not lost.
///
/// There is one per process, like signal handlers. It allocates when it is installed and while
/// entries are collected, never in the handler.
///
/// Safe: only the session's thread changes the buffer, and the handler reads it on the thread that
/// trapped. If that is the session's thread, nothing changes it meanwhile; if it is another one,
/// the process ends anyway, and at worst its reader receives a line that it cannot parse.
final class TrapSlot: @unchecked Sendable {
  static let shared = TrapSlot()

  private var stream: Int32 = -1
  private var buffer: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity: Int
  private var entries = 0
  private let seq = Atomic<Int64>(0)
  private let isRunning = Atomic<Bool>(false)

  /// The end of the line, before and after the digits of the seq.
  private let middle: UnsafeMutableBufferPointer<UInt8>
  private let end: UnsafeMutableBufferPointer<UInt8>

  private init() {
    // Enough for a usual part; it grows for larger ones.
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

  /// Installs the handler, which answers on this stream.
  func install(answeringOn stream: Int32) {
    self.stream = stream
    var action = sigaction()
    // On an alternate stack, because a reducer may have overflowed the thread's.
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

  /// Gives the calling thread an alternate stack for the handler.
  static func prepareThread() {
    // As large as glibc's largest minimum, so that the widest registers fit.
    let size = 64 << 10
    var stack = stack_t()
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    stack.ss_size = size
    sigaltstack(&stack, nil)
  }

  /// Sets the entry to blame for the next fatal signal. `head` is the beginning of the line that
  /// reports it, up to the bracket of its entries.
  func begin(_ head: @autoclosure () -> [UInt8], at seq: Int64) {
    if !isRunning.load(ordering: .relaxed) {
      count = 0
      entries = 0
      append(head())
    }
    self.seq.store(seq, ordering: .relaxed)
    isRunning.store(true, ordering: .releasing)
  }

  /// Adds an entry that waits to be sent.
  func collect(_ line: [UInt8]) {
    if entries > 0 { append([UInt8(ascii: ",")]) }
    append(line)
    entries += 1
  }

  /// Clears everything: nothing waits, and no entry is running.
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

  /// Runs in the signal handler, which may only load atomics and call `write`.
  private static func handle(_ signal: Int32) {
    let slot = TrapSlot.shared
    if slot.isRunning.exchange(false, ordering: .acquiring) {
      slot.write(UnsafeRawPointer(slot.buffer), slot.count)
      slot.write(UnsafeRawPointer(slot.middle.baseAddress), slot.middle.count)
      slot.writeDigits(slot.seq.load(ordering: .relaxed))
      slot.write(UnsafeRawPointer(slot.end.baseAddress), slot.end.count)
    }
    // The action was reset on entry, so this ends the process with the original signal.
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
    // A positive 64-bit integer has at most 19 digits.
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
