import Replaying

/// The descriptors that all files of a sink share.
///
/// A program may have more machines than descriptors, so at most some files are open. One that is
/// written again is opened again; the one that was written longest ago is closed for it.
package final class OpenFiles: Sendable {
  /// The default maximum: a quarter of the descriptors that a process has by default on Linux.
  package static let usualMaximum = 256

  private let maximum: Int
  private let files = ForkSafeMutex(Files())

  fileprivate struct Files: Sendable {
    /// The descriptors, and when each was last used.
    var open: [FileName: (descriptor: FileDescriptor, use: UInt64)] = [:]
    var uses: UInt64 = 0
  }

  init(maximum: Int = usualMaximum) {
    self.maximum = max(1, maximum)
  }

  var count: Int { files.withLock { $0.open.count } }

  /// Creates a file that only this user can read; nil if it exists already or cannot be created:
  /// see `errno`.
  ///
  /// It never follows a link, and never opens an existing file.
  func create(_ path: String) -> TimelineFileHandle? {
    guard let made = open({ FileDescriptor.create(path) }) else { return nil }
    guard let identity = made.identity else { return nil }
    let name = FileName(path: path, identity: identity)
    files.withLock { $0.add(made, as: name) }
    return TimelineFileHandle(name, in: self)
  }

  /// Returns the descriptor of a file, which it opens again if necessary; nil if that fails: see
  /// `errno`.
  func descriptor(of name: FileName) -> FileDescriptor? {
    if let open = files.withLock({ $0.use(name) }) { return open }
    guard let opened = open({ FileDescriptor.reopen(name) }) else { return nil }
    files.withLock { $0.add(opened, as: name) }
    return opened
  }

  /// Closes a file, if it is open.
  func close(_ name: FileName) {
    files.withLock { _ = $0.open.removeValue(forKey: name) }
  }

  /// Opens a file. If the process has no descriptors left, closes one of the others first.
  private func open(_ body: () -> FileDescriptor?) -> FileDescriptor? {
    files.withLock { _ = $0.closeOldest(downTo: maximum - 1) }
    if let opened = body() { return opened }
    guard lastErrorIsTooManyFiles(), files.withLock({ $0.closeOldest(downTo: $0.open.count - 1) })
    else { return nil }
    return body()
  }
}

extension OpenFiles.Files {
  fileprivate mutating func add(_ descriptor: FileDescriptor, as name: FileName) {
    uses += 1
    open[name] = (descriptor, uses)
  }

  fileprivate mutating func use(_ name: FileName) -> FileDescriptor? {
    guard let found = open[name] else { return nil }
    add(found.descriptor, as: name)
    return found.descriptor
  }

  /// Closes the files that were used longest ago. Returns whether it closed any.
  fileprivate mutating func closeOldest(downTo count: Int) -> Bool {
    let before = open.count
    while open.count > max(0, count),
      let oldest = open.min(by: { $0.value.use < $1.value.use })?.key
    {
      open[oldest] = nil
    }
    return open.count < before
  }
}

/// A file by its path and by what the system calls it, so that another file at that path is never
/// mistaken for it.
struct FileName: Hashable, Sendable {
  let path: String
  let identity: FileDescriptor.Identity
}
