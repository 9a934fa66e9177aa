import { cb58 } from '../../../protocol/ids/text.ts'
import { primaryChainKey, type PrimaryNetwork } from '../../primary/chains.ts'
import type { Database } from '../../store/database.ts'
import { repeat, type Rounds } from '../rounds.ts'
import { PrimaryExtraction, type PrimaryExtractOptions } from './extract.ts'

type PrimarySealOptions = Omit<PrimaryExtractOptions, 'to' | 'lastIdOf'> & {
  /** The store of the live indexer and the network there; undefined to rely on the node alone. */
  store: { readonly database: Database; readonly network: PrimaryNetwork } | undefined
} & Rounds

/**
 * Like `seal`, for the P- or the X-Chain: writes each range once the node has it and, with a store, the indexer too,
 * and only if it ends with the stored block. Runs until the signal aborts; throws FatalError if the node has other
 * blocks than the store.
 */
export async function sealPrimary(options: PrimarySealOptions): Promise<void> {
  const { chain, store } = options
  const key = store && primaryChainKey(store.network, chain === 'P' ? 'p-chain' : 'x-chain')
  const rowAt = async (height: number | undefined): Promise<{ height: bigint; id: Buffer } | undefined> => {
    if (!store || key === undefined) return undefined
    const { database } = store
    const [row] = await database<{ height: bigint; id: Buffer }[]>`
      select height, id from primary_blocks
      where chain = ${key} and ${height === undefined ? database`true` : database`height = ${height}`}
      order by height desc limit 1`
    return row
  }
  const lastIdOf: PrimaryExtractOptions['lastIdOf'] = async ({ to }) => {
    const row = await rowAt(to)
    return row && cb58(row.id)
  }
  let extraction = new PrimaryExtraction({ ...options, lastIdOf })
  const rounds: Rounds = {
    ...options,
    onFailure(reason) {
      options.onFailure(reason)
      extraction.close()
      extraction = new PrimaryExtraction({ ...options, lastIdOf })
    },
  }
  try {
    await repeat(rounds, async () => {
      const head = await extraction.head()
      const stored = store ? Number((await rowAt(undefined))?.height ?? -1) : head
      const to = Math.min(head, stored)
      if (to >= 0) await extraction.advance(to)
    })
  } finally {
    extraction.close()
  }
}
