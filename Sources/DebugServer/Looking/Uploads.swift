internal import TimelineStore
internal import Timelines

/// Files that come in parts, each read as it comes.
///
/// Nobody sees a timeline before its file is complete, and what is given up leaves nothing behind.
actor Uploads {
  private struct Upload {
    var file: TimelineImport
    let bytes: Int64
    /// What there is so far of a file that can only be read as a whole.
    var document: ReceivedDocument?
    var offset: Int64 = 0
    var isBusy = false
  }

  /// The files that may come at once.
  private static let limit = 16

  private let store: Store
  private let importBytes: Int64
  private let newName: @Sendable () -> String
  private var uploads: [String: Upload] = [:]

  init(
    store: Store, limits: ServerLimits,
    newName: @escaping @Sendable () -> String = DaemonSurroundings().uploadName
  ) {
    self.store = store
    self.newName = newName
    importBytes = limits.importBytes
  }

  /// Begins a file; answers by what its parts name it.
  ///
  /// A name that ends with `.json` says that it is of another tool, and read when it is complete.
  func begin(name file: String, bytes: Int64) throws -> String {
    guard bytes <= importBytes else {
      throw Refusal(.limit, "A file has at most \(importBytes) bytes.", path: "bytes")
    }
    guard uploads.count < Self.limit else {
      throw Refusal(
        .limit, "At most \(Self.limit) files may come at once. To fix, wait until one has ended.")
    }
    let name = newName()
    let document = try ReceivedDocument(name: file, bytes: bytes)
    // Documents are held in memory: all of them together take no more than one may.
    let held = uploads.values.reduce(Int64(0)) { $1.document == nil ? $0 : $0 + $1.bytes }
    guard document == nil || held + bytes <= ReceivedDocument.largest else {
      throw Refusal(
        .limit,
        """
        JSON documents that come at once have at most \(ReceivedDocument.largest) bytes together. \
        To fix, wait until the others have ended.
        """)
    }
    uploads[name] = Upload(file: store.makeImport(), bytes: bytes, document: document)
    return name
  }

  /// Takes a part; answers the timeline after the last one.
  func add(
    _ bytes: [UInt8], to name: String, at offset: Int64, isLast: Bool
  ) async throws -> TimelineID? {
    guard var upload = uploads[name] else {
      throw Refusal(.notFound, "There is no such upload.", path: "upload")
    }
    guard !upload.isBusy else {
      throw Refusal(.conflict, "The part before is still being read. To fix, wait for its answer.")
    }
    guard offset == upload.offset else {
      throw Refusal(
        .wrongValue, "The next part begins at \(upload.offset), not at \(offset).", path: "offset")
    }
    let end = offset + Int64(bytes.count)
    guard end <= upload.bytes, !isLast || end == upload.bytes else {
      throw Refusal(
        .wrongValue, "The file was said to have \(upload.bytes) bytes, and has others.",
        path: "data")
    }
    uploads[name]?.isBusy = true
    do {
      if upload.document != nil {
        upload.document?.add(bytes)
        if isLast, let lines = try upload.document?.lines() { try await upload.file.add(lines) }
      } else {
        try await upload.file.add(bytes)
      }
      if isLast {
        let report = try await upload.file.finish()
        uploads[name] = nil
        return report.timeline
      }
    } catch {
      uploads[name] = nil
      throw error
    }
    // It may have been given up meanwhile.
    guard uploads[name] != nil else {
      await upload.file.cancel()
      throw Refusal(.cancelled, "The upload was given up.")
    }
    upload.offset = end
    upload.isBusy = false
    uploads[name] = upload
    return nil
  }

  /// Gives a file up.
  func cancel(_ name: String) async {
    guard var upload = uploads.removeValue(forKey: name), !upload.isBusy else { return }
    await upload.file.cancel()
  }
}
