// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in of the public shapes of ReSwift 6.1 that the integration and its test use.

public protocol Action {}

/// Its initializer is internal, as the library's is.
public struct ReSwiftInit: Action {}

public typealias Reducer<State> = (_ action: Action, _ state: State?) -> State
public typealias DispatchFunction = (Action) -> Void

open class Store<State> {
  public private(set) var state: State!
  private let reducer: Reducer<State>

  public required init(reducer: @escaping Reducer<State>, state: State?) {
    self.reducer = reducer
    if let state { self.state = state } else { dispatch(ReSwiftInit()) }
  }

  open func dispatch(_ action: Action) {
    state = reducer(action, state)
  }
}
