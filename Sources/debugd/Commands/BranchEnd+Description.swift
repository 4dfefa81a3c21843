import Timelines
import Wire

extension BranchEnd {
  /// Why a branch ends before all edits were applied, and what to do; `data` says where it is, as
  /// `ServeSettings.dataOption` does.
  func story(of branch: TimelineID, _ data: String = "") -> String {
    let again = "debugd fork \(branch.text.prefix(8)) --again" + data
    return switch self {
    case .gap:
      """
      what followed was lost, so nothing after it can be computed. To go on after the loss, start \
      with a state that is known there: --start SEQ.
      """
    case .trap:
      """
      the reducer trapped on the next event. To fix, correct the reducer, rebuild the \
      host, and run '\(again)'; or leave that event out.
      """
    case .limit:
      """
      the next event took more time or memory than a host may use. To fix, see --host-time and \
      --host-memory of 'debugd serve', or leave that event out.
      """
    case .undecodable:
      """
      the next event does not decode. To fix, replace it or leave it out; or start a host that knows it \
      and run '\(again)'.
      """
    case .canceled:
      "its computation was canceled. To compute it again, run: \(again)"
    case .failed:
      "the host failed there. To fix, look at 'debugd hosts' and at the daemon's log."
    }
  }
}
