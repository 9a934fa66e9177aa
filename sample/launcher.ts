/** The description of a chain for the service. */
type ChainNotice = {
  readonly name: string
  readonly evmChainId: number
  readonly blockchainId: string
  readonly subnetId: string
  readonly vmId: string
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly description: string
}

/** A token of one of the chains. */
type ListedToken = {
  readonly chainId: number
  readonly symbol: string
  readonly address: string
}

/** A message to the program that started this one. */
export type Notice =
  | {
      readonly type: 'listening'
      readonly url: string
      /** `new`: chains that no service has indexed. `kept`: the chains of the last run. */
      readonly state: 'new' | 'kept'
      readonly network: {
        readonly id: 'fuji'
        readonly name: string
        /** The P-Chain's genesis bytes: the service's `genesisFile`. Its first validators ended long ago. */
        readonly genesisFile: string
        readonly chains: readonly ChainNotice[]
      }
      /** The target of the chains' token URIs, for the service's `nftMetadata`. */
      readonly site: { readonly host: string; readonly url: string; readonly ipfsGateway: string }
      /** The genuine tokens, for the service's `tokens.listed`. */
      readonly listedTokens: readonly ListedToken[]
      /** Validators that are called over their own RPC, for the service's `signatures.validatorNodes`. */
      readonly validatorNodes: readonly { readonly nodeId: string; readonly url: string }[]
      /** A file of daily prices, for the service's `prices.file`. */
      readonly pricesFile: string
    }
  | { readonly type: 'progress'; readonly chain: string; readonly done: number; readonly total: number }
  | { readonly type: 'note'; readonly message: string }
  | { readonly type: 'ready'; readonly pricesFile: string }
  | { readonly type: 'failed'; readonly message: string; readonly exitCode: number }

/** Sends a notice over the launcher's IPC channel, or writes it as one line of JSON without one. */
export function sendNotice(notice: Notice): void {
  if (process.send === undefined) process.stdout.write(`${JSON.stringify(notice)}\n`)
  else if (process.connected) process.send(notice, undefined, undefined, () => undefined)
}
