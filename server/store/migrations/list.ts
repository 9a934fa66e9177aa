import { evmChains } from './0001-evm-chains.ts'

/** Every migration, in order. A migration that has been released is never edited. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001-evm-chains', sql: evmChains },
]
