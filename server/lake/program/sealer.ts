import { tmpdir } from 'node:os'
import type { Manifest } from '../manifest.ts'
import type { PrimaryNetwork } from '../../primary/chains.ts'
import { readGenesisFile } from '../../primary/genesis-file.ts'
import { openDatabase } from '../../store/database.ts'
import { openEngine } from '../engine.ts'
import { sealPrimary } from '../primary/seal.ts'
import { seal } from '../seal.ts'

/** What the service tells its sealer: the lake, the store and what is followed. */
export type SealerOrder = {
  readonly root: string
  readonly size: number
  readonly databaseUrl: string
  /** Milliseconds between two looks; the usual ones if absent. */
  readonly every?: number
  readonly chains: readonly {
    readonly chain: number
    readonly rpcUrl: string
    readonly from: number
    readonly concurrency: number
    readonly traces: Manifest['traces'] | undefined
  }[]
  readonly networks: readonly {
    readonly network: PrimaryNetwork
    readonly nodeUrl: string
    readonly genesisFile: string
    readonly concurrency: number
  }[]
}

/** What the sealer tells the service, for its log. With `stopped`, it seals that chain no more. */
export type SealerNews = {
  readonly chain: string
  readonly event: 'sealed' | 'again' | 'stopped'
  readonly text: string
}

const tell = (news: SealerNews): void => {
  if (process.connected) process.send?.(news)
}

/**
 * The sealer of a service, in a process of its own, which ends with the service. All chains are sealed beside each other;
 * what stops one does not stop the others. `program` is this process's own, for its workers.
 */
export function runSealer(program: string): void {
  process.once('disconnect', () => process.exit(0))
  process.once('message', (order: SealerOrder) => void sealAll(order, program))
}

async function sealAll(order: SealerOrder, program: string): Promise<void> {
  const { root, size, databaseUrl, every } = order
  const database = openDatabase(databaseUrl, { max: 4, applicationName: 'ridgeline lake' })
  const engine = await openEngine(tmpdir())
  const common = {
    root,
    size,
    once: false,
    signal: new AbortController().signal,
    ...(every !== undefined && { every }),
  }
  for (const each of order.chains) {
    const chain = String(each.chain)
    const sealing = seal({
      ...common,
      ...each,
      program,
      database,
      workers: 1,
      confirmations: undefined,
      onStarted: () => undefined,
      onWritten: ({ manifest: { from, to } }) => tell({ chain, event: 'sealed', text: `${from} to ${to}` }),
      onRetry: ({ reason }) => tell({ chain, event: 'again', text: reason }),
      onFailure: (text) => tell({ chain, event: 'again', text }),
    })
    sealing.catch((error: unknown) => tell({ chain, event: 'stopped', text: String(error) }))
  }
  for (const { network, genesisFile, ...source } of order.networks) {
    for (const letter of ['P', 'X'] as const) {
      const chain = `${network} ${letter}`
      const sealing = Promise.resolve().then(() =>
        sealPrimary({
          ...common,
          ...source,
          engine,
          chain: letter,
          genesis: readGenesisFile(genesisFile),
          store: { database, network },
          onWritten: ({ manifest: { from, to } }) =>
            tell({ chain, event: 'sealed', text: `${from} to ${to}` }),
          onFailure: (text) => tell({ chain, event: 'again', text }),
        }),
      )
      sealing.catch((error: unknown) => tell({ chain, event: 'stopped', text: String(error) }))
    }
  }
}
