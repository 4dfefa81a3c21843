package import Wire

/// Reports progress, or sends a part of an answer; returns once there is room for the next.
package typealias ProgressReport = @Sendable (ToInspector) async -> Void
