import type { NetworkConfig } from '../kernel/settings/config.ts'
import { contiguousRanges } from '../lake/primary/history.ts'
import { readPrimaryManifest } from '../lake/primary/manifest.ts'
import { idOfText } from '../../protocol/ids/text.ts'
import { pBlockTypeIds } from '../../protocol/primary/transaction-types.ts'
import { primaryChainKey, type PrimaryNetwork } from '../primary/chains.ts'
import type { Queryable } from '../store/database.ts'
import type { LakeFiles } from './lake-files.ts'

/** What the lake has of one chain of a network. */
export type SealedChain = {
  readonly to: number
  /**
   * The index of the transaction that the last sealed block proposed: what the next block decides about it has its place
   * in the store, and is not in the lake.
   */
  readonly proposal: number | undefined
  /** The files of a table, as the engine reads them. */
  files(table: string): string
}

/** How the lake and the store share the chains of a network. */
export type PrimaryCoverage = {
  readonly network: PrimaryNetwork
  readonly prefix: string
  readonly P?: SealedChain
  readonly X?: SealedChain
}

/** Like `readCoverage`: the lake counts only if it is of the store's chains. `lake` learns which files are read. */
export async function readPrimaryCoverage(
  sql: Queryable,
  root: string,
  networks: readonly NetworkConfig[],
  lake: LakeFiles,
): Promise<PrimaryCoverage[]> {
  return Promise.all(
    networks.map(async ({ id: network, prefix }) => {
      const P = await sealedChain(sql, root, network, 'P', lake)
      const X = await sealedChain(sql, root, network, 'X', lake)
      return { network, prefix, ...(P && { P }), ...(X && { X }) }
    }),
  )
}

async function sealedChain(
  sql: Queryable,
  root: string,
  network: PrimaryNetwork,
  chainAlias: 'P' | 'X',
  lake: LakeFiles,
): Promise<SealedChain | undefined> {
  const { ranges } = await contiguousRanges(root, chainAlias)
  const range = ranges.at(-1)
  if (!range) return undefined
  const last = await readPrimaryManifest(root, chainAlias, range)
  const chain = primaryChainKey(network, chainAlias === 'P' ? 'p-chain' : 'x-chain')
  const bytes = (text: string): Buffer => Buffer.from(idOfText(text))
  const [row] = await sql<
    { genesis: boolean; block: boolean | null; type: number | null; count: number | null }[]
  >`
    select genesis_hash = ${bytes(last.genesis)} as genesis, b.id = ${bytes(last.last.id)} as block, b.type,
      b.tx_count as count
    from primary_chains c left join primary_blocks b on b.chain = c.chain and b.height = ${last.to}
    where c.chain = ${chain}`
  if (!row?.genesis || row.block === false) return undefined
  return {
    to: last.to,
    proposal: chainAlias === 'P' && isProposal(row.type) ? (row.count ?? 0) - 1 : undefined,
    files: (table) => lake.read(chainAlias, table, ranges),
  }
}

const isProposal = (type: number | null): boolean =>
  type === pBlockTypeIds.ApricotProposalBlock || type === pBlockTypeIds.BanffProposalBlock

/** The condition that selects what the store has beyond the lake, by two columns of a place. */
export function beyond(sealed: SealedChain | undefined, height: string, index: string): string {
  if (!sealed) return 'true'
  const decided =
    sealed.proposal === undefined ? '' : ` or (${height} = ${sealed.to} and ${index} >= ${sealed.proposal})`
  return `(${height} > ${sealed.to}${decided})`
}
