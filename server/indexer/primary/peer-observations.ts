import type { Database, Queryable } from '../../store/database.ts'
import type { StoredColumns } from '../../store/columns.ts'
import { nodeIdOfText, TextFormError } from '../../../protocol/ids/text.ts'
import type { CurrentValidator, Peer } from './node.ts'
import { type Cell, keyOf, Rows } from './batch/rows.ts'

/** The longest version that is stored: peers may say anything. */
const longestVersion = 64
/** The most versions that are counted; what is beyond is one odd peer each. */
const maxVersions = 40

const plain = (version: string): string => version.slice(0, longestVersion).replaceAll('\0', '')

const versionColumns = { chain: 'smallint', node: 'bytea', ts: 'bigint', version: 'text' } as const
const connectionColumns = { chain: 'smallint', node: 'bytea', ts: 'bigint', connected: 'boolean' } as const

/** The changes that an answer brought: stored with the poll, and kept once that is committed. */
type SeenPeers = { store(sql: Queryable): Promise<void>; keep(): void }

/**
 * What the node's peers show of nodes: the version of each, and whether it is connected to the nodes of L1 validators.
 * The node reports those only as peers. A node of an L1 that was never a peer is not taken for one that is down: a
 * node need not be connected to the validators of L1s that it does not track.
 */
export class PeerObservations {
  readonly #database: Database
  readonly #chain: number
  readonly #versions = new Map<string, string>()
  #connected: Map<string, boolean> | undefined

  constructor(database: Database, chain: number) {
    this.#database = database
    this.#chain = chain
  }

  /** Compares the peers with what is stored. */
  async compare(peers: readonly Peer[], ts: number): Promise<SeenPeers> {
    const connected = (this.#connected ??= await this.#stored())
    const now = new Map(
      peers.flatMap((peer) => {
        const key = keyOfNode(peer.nodeId)
        return key === undefined ? [] : [[key, plain(peer.version)] as const]
      }),
    )
    const versions = [...now].filter(([key, version]) => this.#versions.get(key) !== version)
    const sql = this.#database
    const l1 = await sql<{ node: Buffer }[]>`
      select distinct node from l1_validators where chain = ${this.#chain} and weight > 0`
    const changes = l1.flatMap(({ node }) => {
      const key = keyOf(node)
      const isConnected = now.has(key)
      return (connected.get(key) ?? false) === isConnected ? [] : [[key, isConnected] as const]
    })
    const rowOf = ([key, value]: readonly [string, string | boolean]): Cell[] => [
      this.#chain,
      Buffer.from(key, 'hex'),
      ts,
      value,
    ]
    return {
      store: async (sql) => {
        await copyCells(sql, 'peer_versions', versionColumns, versions.map(rowOf))
        await copyCells(sql, 'peer_connections', connectionColumns, changes.map(rowOf))
      },
      keep: () => {
        for (const [key, version] of versions) this.#versions.set(key, version)
        for (const [key, isConnected] of changes) connected.set(key, isConnected)
      },
    }
  }

  /** Forgets what was stored, because it may have been deleted. */
  forget(): void {
    this.#connected = undefined
    this.#versions.clear()
  }

  async #stored(): Promise<Map<string, boolean>> {
    const sql = this.#database
    const rows = await sql<{ node: Buffer; connected: boolean }[]>`
      select distinct on (node) node, connected from peer_connections where chain = ${this.#chain}
      order by node, ts desc`
    const versions = await sql<{ node: Buffer; version: string }[]>`
      select distinct on (node) node, version from peer_versions where chain = ${this.#chain}
      order by node, ts desc`
    for (const { node, version } of versions) this.#versions.set(keyOf(node), version)
    return new Map(rows.map(({ node, connected }) => [keyOf(node), connected]))
  }
}

function keyOfNode(nodeId: string): string | undefined {
  try {
    return keyOf(nodeIdOfText(nodeId))
  } catch (error) {
    if (error instanceof TextFormError) return undefined
    throw error
  }
}

/** Counts an answer of the node. Returns how many there are: 1 again after the network was recreated. */
export async function countPoll(
  sql: Queryable,
  chain: number,
  ts: number,
  validators: readonly CurrentValidator[],
  peers: readonly Peer[] | undefined,
): Promise<number> {
  const counts = new Map<string, number>()
  for (const { version } of peers ?? []) counts.set(plain(version), (counts.get(plain(version)) ?? 0) + 1)
  const max = [...counts].toSorted(([, left], [, right]) => right - left).slice(0, maxVersions)
  const versions = peers === undefined ? null : JSON.stringify(Object.fromEntries(max))
  const sampled = validators.filter(({ uptime }) => uptime !== undefined)
  const connected = sampled.filter((each) => each.connected).length
  const [row] = await sql<{ polls: bigint }[]>`
    insert into watch_polls (chain, polls, ts, validators, connected, versions)
    values (${chain}, 1, ${ts}, ${sampled.length}, ${connected}, ${versions}::text::jsonb)
    on conflict (chain) do update set polls = watch_polls.polls + 1, ts = excluded.ts,
      validators = excluded.validators, connected = excluded.connected,
      versions = coalesce(excluded.versions, watch_polls.versions)
    returning polls`
  return Number(row?.polls ?? 0)
}

/** Copies rows into a table. */
export async function copyCells(
  sql: Queryable,
  table: string,
  columns: StoredColumns,
  cells: readonly (readonly Cell[])[],
): Promise<void> {
  if (cells.length === 0) return
  const rows = new Rows(columns)
  for (const row of cells) rows.add(row)
  await rows.copy(sql, table)
}
