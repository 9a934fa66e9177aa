import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the node's program. */
    avalanchego: string
  }
}
