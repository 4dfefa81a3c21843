import Timelines

extension BranchEnd {
  /// Why a branch ends before its edits do, and what to do.
  var story: String {
    switch self {
    case .gap:
      """
      what followed was lost, so nothing after it can be computed. To go on behind the loss, start \
      with a state that is known there: --start SEQ.
      """
    case .trap:
      """
      the reducer trapped on the next event. To fix, mend it, build the host anew, and say \
      'debugd fork BRANCH --again'; or leave that event out.
      """
    case .limit:
      """
      the next event took more time or memory than a host may use. To fix, see --host-time and \
      --host-memory of 'debugd serve', or leave that event out.
      """
    case .undecodable:
      """
      the next event does not decode any more. To fix, replace it or leave it out, or say \
      'debugd fork BRANCH --again' with a host that knows it.
      """
    case .cancelled: "its computing was cancelled. To go on, say 'debugd fork BRANCH --again'."
    case .failed:
      "the host failed there. To fix, look at 'debugd hosts' and at the daemon's log."
    }
  }
}
