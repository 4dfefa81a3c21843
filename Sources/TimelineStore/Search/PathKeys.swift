internal import JSONCore

/// The keys of all postings that may hold a change of the value at a path.
struct PathKeys {
  /// Operations at the path, at its ancestors, and inside the value.
  private(set) var all: [PostingKey] = []

  /// Stand-ins at the path or at its ancestors: then the value is unknown.
  private(set) var hidden: [PostingKey] = []

  /// The keys of a path from a root on.
  init(_ root: ValueRoot, _ rest: some Collection<String> = []) {
    var hash = PathHash("/\(root.side.token)".utf8)
    for token in root.keys + rest {
      all.append(PostingKey(hash, .exact))
      hidden.append(PostingKey(hash, .hidden))
      if let index = Pointer.index(token) {
        for indexClass in 0...PostingKey.shiftClass(of: index) {
          all.append(PostingKey(hash, .shift(indexClass)))
        }
      }
      hash.feed(UInt8(ascii: "/"))
      for byte in Pointer(tokens: [token]).description.utf8.dropFirst() { hash.feed(byte) }
    }
    all.append(PostingKey(hash, .exact))
    all.append(PostingKey(hash, .below))
    hidden.append(PostingKey(hash, .hidden))
  }
}
