/** What nodes call the chains of the primary network. C means the atomic transactions of the C-Chain. */
export const chainAliases = ['P', 'X', 'C'] as const
export type ChainAlias = (typeof chainAliases)[number]
