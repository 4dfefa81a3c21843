extension Patch {
  /// The paths at which two values differ, each as far down as both have the same kind of container.
  ///
  /// A patch may replace a value as a whole where that is shorter; this names what is different in it.
  /// Elements of arrays are compared by their places. If an array became shorter, it is the array that
  /// differs.
  package static func differingPaths(
    from old: JSON, to new: JSON, at path: Pointer = .root
  ) -> [Pointer] {
    var paths: [Pointer] = []
    addDifferingPaths(old, new, path, &paths)
    return paths
  }

  /// Values nest no deeper than reading allows, which limits the recursion.
  private static func addDifferingPaths(
    _ old: JSON, _ new: JSON, _ path: Pointer, _ paths: inout [Pointer]
  ) {
    guard old != new else { return }
    switch (old, new) {
    case (.object(let old), .object(let object)):
      for (key, value) in object {
        let place = path.appending(key)
        if let before = old[key] {
          addDifferingPaths(before, value, place, &paths)
        } else {
          paths.append(place)
        }
      }
      for (key, _) in old where object[key] == nil { paths.append(path.appending(key)) }
    case (.array(let old), .array(let array)) where old.count <= array.count:
      for (index, value) in array.enumerated() {
        let place = path.appending(String(index))
        if index < old.count {
          addDifferingPaths(old[index], value, place, &paths)
        } else {
          paths.append(place)
        }
      }
    case (.object, _), (.array, _), (.null, _), (.bool, _), (.number, _), (.string, _):
      paths.append(path)
    }
  }
}
