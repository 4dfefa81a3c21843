/// A part of the screen that shows a state: set up once, then updated with each change.
///
/// A component that belongs to the main actor declares that: `final class Label: @MainActor
/// FormComponent`.
///
/// ```swift
/// final class NameLabel: FormComponent {
///   var text = ""
///   func setup(with state: String) { text = state }
///   func update(state: String) { text = state }
/// }
/// let label = NameLabel()
/// let form = StateForm(state: "Ada")
/// form.subscribe(label)
/// form.apply { $0 = "Augusta" }
/// assert(label.text == "Augusta")
/// ```
public protocol FormComponent<State>: AnyObject {
  /// What the component shows.
  associatedtype State

  /// Called once, with the current state when the component is subscribed.
  func setup(with state: State)
  /// Called with the state of each step after that.
  func update(state: State)
}

/// Whether a form keeps a component alive.
///
/// ```swift
/// final class Log: FormComponent {
///   func setup(with state: Int) {}
///   func update(state: Int) { print(state) }
/// }
/// StateForm(state: 0).subscribe(Log(), held: .strongly)
/// ```
public enum ComponentHold: Hashable, Sendable {
  /// The subscription ends with the component.
  case weakly
  /// The form keeps the component alive until the subscription is canceled.
  case strongly
}

extension StateForm {
  /// Sets a component up with the current state, then updates it with each step.
  @discardableResult
  public func subscribe<Component: FormComponent>(
    _ component: Component, held hold: ComponentHold = .weakly
  ) -> Subscription where Component.State == State {
    let kept = hold == .strongly ? component : nil
    let subscription = kernel.observe(acts: false) { [weak component] step in
      guard let component = kept ?? component else { return false }
      component.update(state: step.after)
      return true
    }
    kernel.deliver { component.setup(with: kernel.state) }
    return subscription
  }
}
