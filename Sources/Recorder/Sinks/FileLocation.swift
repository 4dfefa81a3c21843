import Timelines

/// Where to create the files of timelines.
struct FileLocation: Sendable {
  let path: String
  private let isFolder: Bool
  private let files: OpenFiles

  /// Creates a location: a file if the path ends in `.timeline` and is not a folder; otherwise a
  /// folder.
  init(_ path: String, files: OpenFiles) {
    self.files = files
    let isFile = path.hasSuffix(".timeline") && !Recorder.isFolder(path)
    isFolder = !isFile
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The number of names to try: far more recordings than a folder should have.
  private static let nameLimit = 10_000

  private static let writable = "record to a folder that you can write to"

  /// Creates the file of a timeline. If that fails, a sentence says why.
  func create(for header: Header) -> (TimelineFileHandle?, String?) {
    if isFolder, !makeFolder(path) {
      let why = systemErrorText(pathAdvice: Self.writable)
      return (nil, "The folder \(path) cannot be created: \(why)")
    }
    if !isFolder, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      // If that fails, creating the file fails for the same reason.
      _ = makeFolder(String(path[..<slash]))
    }
    for number in 1...Self.nameLimit {
      if let file = files.create(name(number, header)) { return (file, nil) }
      guard lastErrorIsFileExists() else { break }
    }
    let why = systemErrorText(pathAdvice: Self.writable)
    return (nil, "A recording in \(path) cannot be created: \(why)")
  }

  private func name(_ number: Int, _ header: Header) -> String {
    let suffix = number == 1 ? "" : "-\(number)"
    guard isFolder else { return "\(path.dropLast(".timeline".count))\(suffix).timeline" }
    // Other characters may have a meaning for a shell or a file system.
    let name = header.machine.name.unicodeScalars.prefix(80).map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? String(scalar) : "-"
    }
    let stem = name.isEmpty ? "machine" : name.joined()
    return "\(path)/\(stem)\(suffix).timeline"
  }
}
