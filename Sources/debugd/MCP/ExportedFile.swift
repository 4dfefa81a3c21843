import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

struct ExportedFile: Sendable {
  let name: String
  var bytes: [UInt8] = []

  /// The maximum bytes of all files; a fixture of a long recording is for the command line.
  static let maximumBytes = 64 << 20

  /// The files of an export, which ends as soon as they are too large.
  ///
  /// - Parameter command: what writes files of any size.
  static func files(
    of request: FromInspector.Export, from backend: any Backend, limit: Int = maximumBytes,
    command: String
  ) async throws -> [ExportedFile] {
    let collected = CollectedParts(limit: limit)
    let (full, signal) = AsyncStream.makeStream(of: Void.self)
    let answer = try await withThrowingTaskGroup(of: BackendAnswer?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        let answer: BackendAnswer = try await backend.ask(.export(request)) { message in
          guard case .export(let part) = message else { return }
          if await !collected.add(part) { signal.finish() }
        }
        return answer
      }
      group.addTask {
        for await _ in full {}
        return nil
      }
      return try await group.next() ?? nil
    }
    try Task.checkCancellation()
    switch answer {
    case .message(.export(let part))?: await collected.add(part)
    case .message(let other)?: throw BackendError.unexpected("\(other)")
    case .overview?: throw BackendError.unexpected("an overview")
    case nil: break
    }
    guard let files = try await collected.result else {
      throw ToolError("The fixture is too large for a reply. Write it with: \(command)")
    }
    return files
  }
}

/// The parts of an export, put together.
private actor CollectedParts {
  private let limit: Int
  private var files: [ExportedFile] = []
  private var count = 0
  private var isDamaged = false

  init(limit: Int) { self.limit = limit }

  /// Adds a part; false once there are too many bytes, which are not kept.
  @discardableResult
  func add(_ part: ToInspector.Export) -> Bool {
    guard count <= limit else { return false }
    guard let data = Data(base64Encoded: part.data) else {
      isDamaged = true
      return true
    }
    count += data.count
    guard count <= limit else {
      files = []
      return false
    }
    if files.last?.name != part.name { files.append(ExportedFile(name: part.name)) }
    files[files.count - 1].bytes += Array(data)
    return true
  }

  /// The files; `nil` if they are too large.
  var result: [ExportedFile]? {
    get throws {
      if isDamaged { throw BackendError.unexpected("a part that is not base64") }
      return count <= limit ? files : nil
    }
  }
}

/// The files of the last export, for the calls that read the rest of them.
actor LastExport {
  private var last: (key: [UInt8], files: [ExportedFile])?

  /// Keeps files in place of those of the export before.
  func keep(_ files: [ExportedFile], for key: [UInt8]) { last = (key, files) }

  func forget() { last = nil }

  /// The files of a request, if it was the last one.
  func files(for key: [UInt8]) -> [ExportedFile]? { last?.key == key ? last?.files : nil }
}
