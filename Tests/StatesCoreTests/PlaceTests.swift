import Testing

@testable import StatesCore
