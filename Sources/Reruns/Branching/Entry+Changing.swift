internal import JSONCore
internal import Timelines

extension Entry {
  /// The first own entry of a branch, with the changes from the moment that the branch shares.
  ///
  /// A host computes changes from the state that it read. If its state has other properties than the
  /// recorded one, as after a change of the code, or if the host is faulty, they do not lead from the
  /// recorded state to this entry's, and are replaced by the difference.
  func changing(_ shared: HostMoment) throws -> Entry {
    guard patch != nil, let before = shared.state?.value, let after = Snapshot(keyframe: self)
    else { return self }
    let outputs = shared.outputs?.value ?? .object(JSON.Object())
    var patched = Snapshot(state: before, outputs: outputs)
    if (try? patched.apply(self)) != nil, patched == after { return self }
    var draft = EntryDraft(self)
    draft.patch = Patch.difference(from: before, to: after.state).json.encoded()[...]
    let changed = Patch.difference(from: outputs, to: after.outputs)
    draft.outputs = changed.isEmpty ? nil : changed.json.encoded()[...]
    return try draft.entry()
  }
}
