import { openDatabase, type Database } from './database.ts'
import { Replica } from './replica.ts'
import { Servers } from './servers.ts'

/** The pools of a process. */
export type Pools = {
  /** For reads of the API: bounded, with a statement timeout. */
  readonly reads: Database
  /** A small one on the same server, so that slow reads never delay `/ready`. */
  readonly health: Database
  /** For what the API writes and announces; the same as `reads` without a replica. */
  readonly primary: Database
  /** For the indexers, without a statement timeout. */
  readonly writes: Database
  /** What the first two read from, if it is not the primary. */
  readonly replica: Replica | undefined
  /** Whether reads go through a pooler, which does not know our statement timeout. */
  readonly hasPooler: boolean
  /** Closes every connection; statements get a second. */
  end(): Promise<unknown>
}

type PoolsOptions = {
  readonly url: string
  /** Where reads go, if not to `url`. */
  readonly readUrl?: string
  /** Timeout of a read in milliseconds. */
  readonly statementTimeout: number
}

/**
 * Opens the pools; nothing connects before the first statement. Their sizes do not depend on the number of chains. Each
 * may open twice as many connections, because transactions have connections of their own (server/store/database.ts).
 */
export function openPools({ url, readUrl, statementTimeout }: PoolsOptions): Pools {
  const servers = new Servers(url)
  const writes = openDatabase(url, { servers, max: 6, applicationName: 'ridgeline indexer' })
  const openReads = (from: string, readServers: Servers) => ({
    reads: openDatabase(from, {
      servers: readServers,
      max: 8,
      statementTimeout,
      applicationName: 'ridgeline reads',
    }),
    health: openDatabase(from, {
      servers: readServers,
      max: 2,
      statementTimeout: 2_000,
      applicationName: 'ridgeline health',
    }),
  })
  const endAll = (pools: readonly Database[]) => () =>
    Promise.all(pools.map((pool) => pool.end({ timeout: 1 })))
  if (readUrl === undefined) {
    const { reads, health } = openReads(url, servers)
    const end = endAll([reads, health, writes])
    return { reads, health, primary: reads, writes, replica: undefined, hasPooler: servers.isPooler, end }
  }
  const primary = openDatabase(url, { servers, max: 4, statementTimeout, applicationName: 'ridgeline api' })
  const replica = new Replica({ primary, reads: () => health })
  const readServers = new Servers(readUrl, { wanted: 'prefer-standby', floor: () => replica.floor() })
  const { reads, health } = openReads(readUrl, readServers)
  const end = endAll([reads, health, primary, writes])
  return { reads, health, primary, writes, replica, hasPooler: readServers.isPooler, end }
}
