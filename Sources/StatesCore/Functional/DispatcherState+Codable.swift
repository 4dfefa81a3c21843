/// Encoded, a dispatcher's state has the current item, the target during a transition, the queue,
/// and the number of applied states.
extension DispatcherState {
  private enum CodingKeys: String, CodingKey {
    case phase, current, target, queue, applied
  }

  private enum PhaseName: String, Codable { case ready, inTransition }
}

extension DispatcherState: Encodable where Arguments: Encodable {
  /// Writes the state.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(target == nil ? PhaseName.ready : .inTransition, forKey: .phase)
    try container.encode(current, forKey: .current)
    try container.encodeIfPresent(target, forKey: .target)
    try container.encode(queue, forKey: .queue)
    try container.encode(applied, forKey: .applied)
  }
}

extension DispatcherState: Decodable where Arguments: Decodable {
  /// Reads the state.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let current = try container.decodeIfPresent(Item.self, forKey: .current)
    switch try container.decode(PhaseName.self, forKey: .phase) {
    case .ready: phase = .ready(current)
    case .inTransition:
      phase = .inTransition(from: current, to: try container.decode(Item.self, forKey: .target))
    }
    queue = try container.decode([Item].self, forKey: .queue)
    applied = try container.decode(Int.self, forKey: .applied)
  }
}
