internal import TimelineStore
internal import Timelines
import Wire

/// Uploaded files, each read as its parts arrive.
///
/// A timeline is not visible before its file is complete, and an abandoned upload leaves nothing
/// behind.
actor Uploads {
  private struct Upload {
    var file: TimelineImport
    let bytes: Int64
    /// The bytes so far of a file that can only be read whole.
    var document: ReceivedDocument?
    var offset: Int64 = 0
    var isBusy = false
  }

  /// The maximum number of uploads at once.
  private static let limit = 16

  private let store: Store
  private let importBytes: Int64
  private let lineBytes: Int
  private let sharedLineBytes: Int
  private let idleSeconds: Int64
  private let newName: @Sendable () -> String
  private var uploads: [String: Upload] = [:]

  init(
    store: Store, limits: ServerLimits,
    newName: @escaping @Sendable () -> String = DaemonEnvironment().uploadName
  ) {
    self.store = store
    self.newName = newName
    importBytes = limits.importBytes
    lineBytes = limits.importLineBytes
    sharedLineBytes = limits.sharedImportLineBytes
    idleSeconds = limits.uploadMilliseconds / 1_000
  }

  /// Starts an upload; returns the id for its parts.
  ///
  /// A name that ends in `.json` means another tool's format, which is read when it is complete.
  func begin(name file: String, bytes: Int64) throws -> String {
    guard bytes <= importBytes else {
      throw Refusal(.limit, "A file can have at most \(importBytes) bytes.", path: "bytes")
    }
    guard uploads.count < Self.limit else {
      throw Refusal(
        .limit,
        "At most \(Self.limit) files can be uploaded at once. To fix, wait until one is complete.")
    }
    let name = newName()
    let document = try ReceivedDocument(name: file, bytes: bytes)
    // Documents are held in memory, so the limit of one applies to all of them together.
    let held = uploads.values.reduce(Int64(0)) { $1.document == nil ? $0 : $0 + $1.bytes }
    guard document == nil || held + bytes <= ReceivedDocument.largest else {
      throw Refusal(
        .limit,
        """
        JSON documents that are uploaded at once can have at most \(ReceivedDocument.largest) bytes together. \
        To fix, wait until the others have ended.
        """)
    }
    var limits = ImportLimits()
    limits.lineBytes = uploads.isEmpty ? lineBytes : sharedLineBytes
    uploads[name] = Upload(
      file: store.makeImport(limits: limits), bytes: bytes, document: document)
    return name
  }

  /// Adds a part; returns the imported timeline after the last one.
  func add(
    _ bytes: [UInt8], to name: String, at offset: Int64, isLast: Bool
  ) async throws -> TimelineImport.Report? {
    guard var upload = uploads[name] else {
      throw Refusal(
        .notFound,
        """
        The upload was not found: it has ended, or was given up after \(idleSeconds) seconds without \
        data. To fix, start it again.
        """, path: "upload")
    }
    guard !upload.isBusy else {
      throw Refusal(
        .conflict, "The previous part is still being read. To fix, wait for its answer.")
    }
    guard offset == upload.offset else {
      throw Refusal(
        .wrongValue, "The next part begins at \(upload.offset), not at \(offset).", path: "offset")
    }
    let end = offset + Int64(bytes.count)
    guard end <= upload.bytes, !isLast || end == upload.bytes else {
      throw Refusal(
        .wrongValue,
        "The file was announced with \(upload.bytes) bytes, but has a different length.",
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
        return report
      }
    } catch {
      uploads[name] = nil
      throw error
    }
    // The upload may have been canceled meanwhile.
    guard uploads[name] != nil else {
      await upload.file.cancel()
      throw Refusal(.canceled, "The upload was canceled.")
    }
    upload.offset = end
    upload.isBusy = false
    uploads[name] = upload
    return nil
  }

  func cancel(_ name: String) async {
    guard var upload = uploads.removeValue(forKey: name), !upload.isBusy else { return }
    await upload.file.cancel()
  }
}
