import 'vitest'

declare module 'vitest' {
  // Only an interface merges with that of the module.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    /** The path of the node's program. */
    avalanchego: string
    /** Whether it is 1.15 or later and therefore knows Helicon. */
    knowsHelicon: boolean
    /** The folder with the subnet EVM as a plugin of the node; empty if it can't be built. */
    subnetEvm: string
    /** The path of a node that serves mainnet without peers; empty if it can't be built. */
    publicNode: string
    /** Built mutants of the project, with the comparisons that must fail (scripts/test-mutants.mjs). */
    mutants: readonly { readonly name: string; readonly root: string; readonly comparison: string }[]
    /** The path of geth; empty if it is not installed. */
    geth: string
    /** The folder of Hardhat's installation; empty if it can't be installed. */
    hardhat: string
  }
}
