import ComposableArchitecture
import Recorder

extension StoreIdentity {
  /// The store whose action is being reduced, and the path of the child feature in it.
  ///
  /// The library itself uses this path to cancel the effects of a store. It is a dependency that is
  /// not public. In releases without it, all stores count as one.
  static var current: StoreIdentity {
    let dependencies = DependencyValues._current
    guard let path = Mirror(reflecting: dependencies).navigationPath else { return .unknown }
    return StoreIdentity(AnyHashable(path))
  }
}

extension Mirror {
  /// The `NavigationIDPath` among the values of a `DependencyValues`.
  fileprivate var navigationPath: (any Hashable)? {
    guard let storage = descendant("storage") as? [ObjectIdentifier: any Sendable] else {
      return nil
    }
    for value in storage.values where "\(type(of: value))" == "NavigationIDPath" {
      return value as? any Hashable
    }
    return nil
  }
}
