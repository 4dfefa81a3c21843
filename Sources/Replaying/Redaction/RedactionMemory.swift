/// What was hidden of a machine so far, and is looked for in everything that is written of it.
package struct RedactionMemory: Sendable {
  let secrets: SecretTexts
}
