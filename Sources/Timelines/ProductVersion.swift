/// The version of everything in this package. `scripts/check-version` holds the documents to it.
package enum ProductVersion {
  package static let current = "0.2.0"
}
