import JSONCore

// A key may have been written before it became a secret. No later entry may have it, not even in the
// path that removes it.
extension Redactor {
  /// The patch; if a path in it shows a secret, one that replaces everything.
  ///
  /// - Parameter names: The number of tokens at the beginning of each path that are written unchanged.
  func hideKeys(
    in patch: Patch, to whole: @autoclosure () -> JSON, after names: Int = 0
  ) -> Patch {
    guard !secrets.isEmpty, patch.operations.contains(where: { showsSecret($0, after: names) })
    else { return patch }
    return Patch([.replace(.root, whole())])
  }

  private func showsSecret(_ operation: Patch.Operation, after names: Int) -> Bool {
    let paths: [Pointer] =
      switch operation {
      case .move(let from, let to), .copy(let from, let to): [from, to]
      case .add(let path, _), .remove(let path), .replace(let path, _), .test(let path, _): [path]
      }
    return paths.contains { path in
      path.tokens.dropFirst(names).contains { secrets.masking($0, isKey: true) != nil }
    }
  }
}
