import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of the node's program. */
    avalanchego: string
    /** The folder with the subnet EVM as the node's plugin; empty where it can't be built. */
    subnetEvm: string
  }
}
