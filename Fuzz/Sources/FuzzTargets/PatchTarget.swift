internal import JSONCore

extension FuzzTarget {
  /// The first line is a value, the rest another one or a patch. The difference of two values leads
  /// from one to the other, and a patch is applied completely or not at all.
  static let patch = FuzzTarget(name: "patch") { bytes in
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard let before = try? JSON(parsing: Array(line)),
      let rest = try? JSONSlice(validating: Array(bytes.dropFirst(line.count + 1)))
    else { return }
    differ(from: before, to: rest.value)
    differ(from: rest.value, to: before)

    let patch: Patch
    do throws(PatchError) {
      patch = try Patch(rest)
    } catch {
      promise((try? Patch(rest.value)) == nil, "a tree is not a patch if its text is not one")
      return promise(!error.description.isEmpty, "an error says what is wrong")
    }
    promise((try? Patch(rest.value)) == patch, "a tree is the patch that its text is")
    promise((try? Patch(patch.json)) == patch, "a patch is read as it was written")
    var after = before
    do throws(PatchError) {
      // The limits of a peer's patch, so that copies of copies end.
      try after.apply(patch, limits: JSONLimits(depth: 64, bytes: 1 << 16))
    } catch {
      promise(after.encoded() == before.encoded(), "a patch that does not apply changes nothing")
      promise(
        error.operation.map(patch.operations.indices.contains) ?? false,
        "the error names the operation"
      )
      return
    }
    differ(from: before, to: after)
  }

  private static func differ(from before: JSON, to after: JSON) {
    let patch = Patch.difference(from: before, to: after)
    promise((try? before.applying(patch)) == after, "a difference leads to the other value")
    promise(patch.isEmpty == (before == after), "equal values, and no others, do not differ")
    promise((try? Patch(patch.json)) == patch, "a difference is read as it was written")
  }
}
