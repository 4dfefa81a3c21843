import Foundation

/// The file system of the operating system.
package struct SystemDisk: StoreDisk {
  package init() {}

  package var vfs: String? { nil }

  package func resolve(_ folder: String) throws(DiskError) -> String {
    // Safe: the text is copied before it is freed.
    guard let text = realpath(folder, nil) else { throw failure(folder) }
    defer { free(text) }
    return String(cString: text)
  }

  package func status(of path: String) throws(DiskError) -> FileStatus? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw failure(path)
    }
    return FileStatus(
      size: Int64(status.st_size), mode: UInt32(status.st_mode), owner: UInt32(status.st_uid))
  }

  package func names(in folder: String) throws(DiskError) -> [String] {
    guard let stream = opendir(folder) else { throw failure(folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      // Safe: the entry is copied before the next one is read.
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw failure(folder) }
        return names.filter { $0 != "." && $0 != ".." }
      }
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { name in
          String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
  }

  package func makeFolder(_ path: String) throws(DiskError) -> Bool {
    if mkdir(path, 0o700) == 0 { return true }
    let code = errno
    // A parent that cannot be created may exist already.
    guard code == EEXIST || code == EISDIR || access(path, F_OK) == 0 else {
      throw DiskError(code: code, path: path)
    }
    return false
  }

  package func makeFile(_ path: String) throws(DiskError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw failure(path)
    }
  }

  package func read(_ path: String, upTo count: Int) throws(DiskError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let found = pread(descriptor, &bytes, count, 0)
    guard found >= 0 else { throw failure(path) }
    return Array(bytes.prefix(found))
  }

  package func write(_ bytes: [UInt8], to path: String) throws(DiskError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor, path)
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(DiskError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(bytes.count - rest.count))
      }
      guard written > 0 else { throw failure(path) }
      rest = rest.dropFirst(written)
    }
  }

  package func move(_ path: String, to other: String) throws(DiskError) {
    guard rename(path, other) == 0 else { throw failure(path) }
  }

  package func remove(_ path: String) throws(DiskError) {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard errno == EISDIR || errno == EPERM else { throw failure(path) }
    for name in try names(in: path) { try remove(path + "/" + name) }
    guard rmdir(path) == 0 else { throw failure(path) }
  }

  package func sync(_ path: String) throws(DiskError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder, and report that as EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(path) }
  }

  package func lock(_ path: String, storing text: String) throws(DiskError) -> DiskLocking {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = failure(path)
      defer { close(descriptor) }
      guard error.code == EWOULDBLOCK else { throw error }
      var bytes = [UInt8](repeating: 0, count: 128)
      let count = pread(descriptor, &bytes, bytes.count, 0)
      return .held(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }
    // The text is for people; the lock is valid without it.
    _ = ftruncate(descriptor, 0)
    try? write(Array(text.utf8), to: descriptor, path)
    return .taken(Lock(descriptor))
  }

  package func freeBytes(of folder: String) -> Int64? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  private func failure(_ path: String) -> DiskError { DiskError(code: errno, path: path) }

  /// The lock ends with the process, however it ends; the file stays and has no meaning by itself.
  private final class Lock: DiskLock {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func release() { _ = flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
  }
}
