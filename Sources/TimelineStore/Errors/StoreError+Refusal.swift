package import Wire

extension Refusal {
  /// The refusal for an error. With the data folder, it says how to recover damaged data.
  package init(of error: any Error, about folder: String? = nil) {
    switch error {
    case let refusal as Refusal: self = refusal
    case let error as StoreError: self.init(error, about: folder)
    case is CancellationError: self.init(.canceled, "The request was canceled.")
    default: self.init(.failed, "It failed: \(error)")
    }
  }

  /// The refusal for a store error.
  package init(_ error: StoreError, about folder: String? = nil) {
    let sentence = folder.map(error.sentence(about:)) ?? error.description
    switch error.reason {
    case .notFound(let id), .gone(let id):
      self.init(.notFound, sentence, path: "timeline", timeline: id)
    case .noEntry(let id, _): self.init(.notFound, sentence, path: "seq", timeline: id)
    case .conflict(let id, _), .hasBranches(let id, _):
      self.init(.conflict, sentence, timeline: id)
    case .ownAncestor(let id):
      self.init(.wrongValue, sentence, path: "header.parent.timeline", timeline: id)
    case .manyAncestors(let id, _):
      self.init(.limit, sentence, path: "header.parent.timeline", timeline: id)
    case .path, .longPath: self.init(.wrongValue, sentence, path: "path")
    case .order, .chunk: self.init(.wrongValue, sentence)
    case .held, .leased, .newer, .folder, .openFolder, .database, .server, .refusing, .closed,
      .damaged,
      .file,
      .packing,
      .packed:
      self.init(.failed, sentence)
    }
  }
}
