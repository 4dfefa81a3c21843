import Timelines

extension BranchEnd {
  /// Why a branch ends before its edits do, and what to do.
  func story(of branch: TimelineID) -> String {
    let id = branch.text.prefix(8)
    return switch self {
    case .gap:
      """
      what followed was lost, so nothing after it can be computed. To go on behind the loss, start \
      with a state that is known there: --start SEQ.
      """
    case .trap:
      """
      the reducer trapped on the next event. To fix, correct the reducer, rebuild the \
      host, and run 'debugd fork \(id) --again'; or leave that event out.
      """
    case .limit:
      """
      the next event took more time or memory than a host may use. To fix, see --host-time and \
      --host-memory of 'debugd serve', or leave that event out.
      """
    case .undecodable:
      """
      the next event does not decode. To fix, replace it or leave it out; or start a host that knows it \
      and run 'debugd fork \(id) --again'.
      """
    case .cancelled:
      "its computation was canceled. To compute it again, run: debugd fork \(id) --again"
    case .failed:
      "the host failed there. To fix, look at 'debugd hosts' and at the daemon's log."
    }
  }
}
