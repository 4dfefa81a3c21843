internal import Wire

extension EarlyEnd {
  /// Why a run of recorded events ended early, as a sentence.
  var sentence: String {
    let what =
      switch why {
      case .trap: "The reducer trapped."
      case .undecodable: "The event or state can no longer be decoded."
      case .limit: "The host's limits were reached."
      case .gap: "Entries were lost."
      case .canceled, .failed: "The host did not finish."
      }
    return message.map { "\(what) \($0)" } ?? what
  }
}
