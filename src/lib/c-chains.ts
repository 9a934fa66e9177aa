/** The chain IDs of the C-chains: of the public networks, and of a local one. */
export const cChainIds = { mainnet: '43114', fuji: '43113', local: '43112' } as const
