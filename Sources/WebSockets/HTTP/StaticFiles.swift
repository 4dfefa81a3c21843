#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Serves the files of a folder.
///
///     let files = try StaticFiles(root: "/usr/share/debugd/web")
///     …
///     func handle(_ exchange: Exchange, on loop: isolated Loop) {
///       exchange.respond(files.response(to: exchange.request))
///     }
///
/// Only regular files and folders are served: symbolic links are not followed, even within the
/// folder, and names that begin with a dot are hidden. The root itself may be reached through
/// links, and stays the folder that it was at the start.
///
/// Safe: Sendable, because the descriptor never changes, and is closed with the last reference.
package final class StaticFiles: Sendable {
  private let root: Int32
  private let headers: [(name: String, value: String)]

  /// Serves the files below `root`.
  ///
  /// - Parameter headers: Headers of each response with a file (default: `Cache-Control: no-cache`,
  ///   which makes browsers revalidate files, at the cost of a 304).
  /// - Throws: `TransportError.noFolder`.
  package init(
    root path: String,
    headers: [(name: String, value: String)] = [("Cache-Control", "no-cache")]
  ) throws(TransportError) {
    root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    self.headers = headers
    guard root >= 0 else { throw .noFolder(path: path, reason: ErrorText.last, code: errno) }
  }

  deinit {
    if root >= 0 { close(root) }
  }

  /// The response to a request for a file: the file, 304 if the client has it, 404, or 405. For a
  /// folder, its `index.html`.
  package func response(to request: Request) -> Response {
    guard request.method == "GET" || request.method == "HEAD" else {
      var refusal = Response.text(405, "Use GET or HEAD to read a file.")
      refusal.headers.append(("Allow", "GET, HEAD"))
      return refusal
    }
    switch find(request.path) {
    case .nothing:
      return .text(404, "File not found.")
    case .folder:
      // Without the trailing slash, relative references in the page would be wrong.
      return Response(
        status: 308, headers: [("Location", Self.escaped(request.path) + "/")] + headers)
    case .file(let file, let name):
      return response(to: request, body: .file(file), tag: Self.tag(of: file), name: name)
    }
  }

  /// The response with a text that was built from the folder's files, as if it were one of them.
  package func response(to request: Request, text: StaticText) -> Response {
    guard request.method == "GET" || request.method == "HEAD" else { return response(to: request) }
    return response(to: request, body: .bytes(text.bytes), tag: text.tag, name: text.name)
  }

  private func response(
    to request: Request, body: Response.Body, tag: String, name: String
  ) -> Response {
    let common = [("ETag", tag)] + headers
    if let known = request.header("if-none-match"), Self.matches(known, tag) {
      return Response(status: 304, headers: common)
    }
    return Response(
      status: 200, headers: [("Content-Type", ContentType.of(name))] + common, body: body)
  }

  /// A file's text and entity tag; `nil` if the file does not exist, is not UTF-8, or has more bytes
  /// than the limit.
  package func text(at path: String, limit: Int = .max) -> (text: String, tag: String)? {
    guard case .file(let file, _) = find("/" + path), file.size <= limit else { return nil }
    var offset = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: file.size) { memory, count in
      while let start = memory.baseAddress, offset < file.size {
        // Safe: the rest of the memory has room for the requested bytes.
        let read = file.read(into: start + offset, count: file.size - offset, at: offset)
        guard read > 0 else { break }
        offset += read
      }
      count = offset
    }
    guard offset == file.size, let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    return (text, Self.tag(of: file))
  }

  /// The entity tag of a file; `nil` if it does not exist.
  package func tag(of path: String) -> String? {
    guard case .file(let file, _) = find("/" + path) else { return nil }
    return Self.tag(of: file)
  }

  private enum Found {
    case nothing
    case folder
    case file(OpenFile, name: String)
  }

  private func find(_ path: String) -> Found {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map(String.init)
    let isFolderAsked = parts.last?.isEmpty ?? true
    if isFolderAsked {
      parts = parts.dropLast() + ["index.html"]
    }
    guard let name = parts.last, parts.allSatisfy(Self.isProper) else { return .nothing }
    var folder = dup(root)
    // Safe: every path closes each descriptor or passes its ownership on.
    defer { if folder >= 0 { close(folder) } }
    for part in parts.dropLast() {
      let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(folder)
      folder = next
      guard folder >= 0 else { return .nothing }
    }
    // Nonblocking, because opening a named pipe would otherwise block the loop.
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .nothing }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      return isFolderAsked ? .nothing : .folder
    }
    guard let file = OpenFile(descriptor: descriptor) else { return .nothing }
    return .file(file, name: name)
  }

  /// Whether a part of a path may name a file: not hidden, not `..`, and without a zero byte.
  private static func isProper(_ part: String) -> Bool {
    !part.isEmpty && !part.hasPrefix(".") && !part.utf8.contains(0) && part.utf8.count <= 255
  }

  private static func tag(of file: OpenFile) -> String {
    let parts = [file.modified, Int64(file.size), Int64(bitPattern: file.inode)]
    return "\"" + parts.map { String($0, radix: 36) }.joined(separator: "-") + "\""
  }

  /// Whether one of the client's tags is this one, ignoring weak marks.
  private static func matches(_ known: String, _ tag: String) -> Bool {
    Request.list(known).contains { element in
      element == "*" || (element.hasPrefix("W/") ? String(element.dropFirst(2)) : element) == tag
    }
  }

  /// A percent-encoded path for a header.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x5f, 0x7e:
        text.append(byte)
      default:
        text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
