/** The id of the P-Chain on every network, and of the subnet of all validators of the primary network. */
export const primaryNetworkId = '11111111111111111111111111111111LpoYY'

/** The ids of the P-, X- and C-Chain of the networks of the hosted API. */
export const primaryChainIds = {
  p: primaryNetworkId,
  x: {
    mainnet: '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
    fuji: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  },
  c: {
    mainnet: '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    fuji: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  },
} as const

/** What paths and operations call the three chains, in display order. */
export const primaryChainAliases = ['p-chain', 'x-chain', 'c-chain'] as const
export type PrimaryChainAlias = (typeof primaryChainAliases)[number]

/** The same chains by what nodes call them (`ChainAlias` in protocol/primary/chains.ts). */
export const primaryAliasOf = { P: 'p-chain', X: 'x-chain', C: 'c-chain' } as const
export const nodeAliasOf = { 'p-chain': 'P', 'x-chain': 'X', 'c-chain': 'C' } as const

/** Their names. */
export const primaryChainNames: Readonly<Record<PrimaryChainAlias, string>> = {
  'p-chain': 'P-Chain',
  'x-chain': 'X-Chain',
  'c-chain': 'C-Chain',
}
