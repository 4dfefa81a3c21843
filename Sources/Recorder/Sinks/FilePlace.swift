import Timelines

/// Where timelines get their files.
struct FilePlace: Sendable {
  private let path: String
  private let isFolder: Bool

  /// A file when the path ends in `.timeline` and is no folder; else a folder.
  init(_ path: String) {
    let isFile = path.hasSuffix(".timeline") && !Recorder.isFolder(path)
    isFolder = !isFile
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// How many names are tried: far more recordings than a folder is good for.
  private static let nameLimit = 10_000

  /// Creates the file of a timeline; without one, a sentence says why.
  func create(for header: Header) -> (TimelineFileHandle?, String?) {
    if isFolder, !makeFolder(path) {
      return (nil, "The folder \(path) for recordings cannot be made: \(systemErrorText()).")
    }
    for number in 1...Self.nameLimit {
      if let file = TimelineFileHandle.create(name(number, header)) { return (file, nil) }
      guard lastErrorIsFileExists() else { break }
    }
    return (nil, "A recording in \(path) cannot be created: \(systemErrorText()).")
  }

  private func name(_ number: Int, _ header: Header) -> String {
    let suffix = number == 1 ? "" : "-\(number)"
    guard isFolder else { return "\(path.dropLast(".timeline".count))\(suffix).timeline" }
    // What is not a letter or a digit may mean something to a shell or a file system.
    let name = header.machine.name.unicodeScalars.prefix(80).map { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? String(scalar) : "-"
    }
    let stem = name.isEmpty ? "machine" : name.joined()
    return "\(path)/\(stem)\(suffix).timeline"
  }
}
