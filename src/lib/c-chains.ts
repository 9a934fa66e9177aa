/** The chain IDs of the C-Chains: of the public networks, and of a local one. */
export const cChainIds = { mainnet: '43114', fuji: '43113', local: '43112' } as const
