import Testing

@testable import Timelines
