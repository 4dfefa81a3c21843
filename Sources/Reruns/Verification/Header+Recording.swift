package import Timelines

extension Header {
  /// Whether it belongs to a recording of a type of machine. A branch is not one, even if its parent is
  /// not stored.
  package func isRecording(of type: String) -> Bool {
    fields.parent == nil && fields.machine.type == type
  }
}
