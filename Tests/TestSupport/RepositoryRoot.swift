public import Foundation

/// The folder that holds `Package.swift`, found from this file's own place.
public let repositoryRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
