import 'vitest'

declare module 'vitest' {
  // Only an interface merges with the one of the module.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** The path of the node's program. */
    avalanchego: string
    /** Whether it is 1.15 or later: it has the rules of Helicon. */
    knowsHelicon: boolean
    /** The folder with the subnet EVM as the node's plugin; empty where it can't be built. */
    subnetEvm: string
    /** Broken copies of the project, built, and what must notice each (scripts/test-mutants.mjs). */
    mutants: readonly { readonly name: string; readonly root: string; readonly comparison: string }[]
    /** The path of geth; empty where there is none. */
    geth: string
    /** The folder in which Hardhat is installed; empty where it can't be. */
    hardhat: string
  }
}
