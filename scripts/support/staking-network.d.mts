/** The types of staking-network.mjs for the tests that share it. */

export declare const networkId: number
export declare const addressPrefix: string
export declare const evmChainId: number
export declare const testKey: string
export declare const evmConfig: Readonly<Record<string, unknown>>

/** How a node is to run one of its chains. */
export type ChainSettings = {
  readonly config: unknown
  readonly upgrade?: unknown
}

/** One node of a network: where its data lies, its keys' names and how to start it. */
export type PreparedNode = {
  readonly folder: string
  readonly httpPort: number
  readonly stakingPort: number
  readonly url: string
  readonly nodeId: string
  /** Hex with 0x. */
  readonly proof: { readonly publicKey: string; readonly proofOfPossession: string }
  readonly flags: readonly string[]
}

export declare function loopbackFlags(
  place: Pick<PreparedNode, 'folder' | 'httpPort' | 'stakingPort'>,
): string[]
export declare function chainsFlag(chains?: Readonly<Record<string, ChainSettings>>): string
export declare function upgradesFlag(options: {
  readonly heliconTime: string
  readonly epochSeconds: number
}): string
export declare function prepareNetwork(options: {
  readonly program: string
  readonly folder: string
  readonly ports: readonly (readonly [number, number])[]
  /** How many of the last run without being validators of the genesis. */
  readonly guests?: number
}): Promise<PreparedNode[]>
