import { tmpdir } from 'node:os'
import { FatalError } from '../../kernel/errors.ts'
import { pause } from '../../kernel/pause.ts'
import { rangeName, type BlockRange, type Manifest } from '../manifest.ts'
import type { PrimaryNetwork } from '../../primary/chains.ts'
import { readGenesisFile } from '../../primary/genesis-file.ts'
import { openDatabase } from '../../store/database.ts'
import { openEngine } from '../engine.ts'
import { sealPrimary } from '../primary/seal.ts'
import { isRemote, writeOnFolder } from '../s3/on-folder.ts'
import { seal } from '../seal.ts'

/** What the service tells its sealer: the lake, the store and what is followed. */
export type SealerOrder = {
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly root: string
  /** The service's home folder, which keeps what is uploaded. */
  readonly home: string
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
    readonly genesisFile: string | undefined
    readonly concurrency: number
  }[]
}

/** What the sealer tells the service, for its log. With `stopped`, it seals that chain no more. */
export type SealerNews = {
  readonly chain: string
  readonly event: 'sealed' | 'again' | 'stopped'
  readonly text: string
}

/** Milliseconds after which an upload that failed is tried again. */
const uploadAgainAfter = 10_000

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
  const { size, databaseUrl, every } = order
  const database = openDatabase(databaseUrl, { max: 4, applicationName: 'ridgeline lake' })
  const engine = await openEngine(tmpdir())
  const common = {
    size,
    once: false,
    ...(every !== undefined && { every }),
  }
  for (const each of order.chains) {
    const chain = String(each.chain)
    void sealChain(order, chain, chain, (place) =>
      seal({
        ...common,
        ...each,
        ...place,
        program,
        database,
        workers: 1,
        confirmations: undefined,
        onStarted: () => undefined,
        onWritten: ({ manifest }) => place.onSealed(manifest),
        onRetry: ({ reason }) => tell({ chain, event: 'again', text: reason }),
        onFailure: (text) => tell({ chain, event: 'again', text }),
      }),
    )
  }
  for (const { network, genesisFile, ...source } of order.networks) {
    for (const chainAlias of ['P', 'X'] as const) {
      const chain = `${network} ${chainAlias}`
      void sealChain(order, chainAlias, chain, (place) =>
        sealPrimary({
          ...common,
          ...source,
          ...place,
          engine,
          chain: chainAlias,
          genesis: genesisFile === undefined ? undefined : readGenesisFile(genesisFile),
          store: { database, network },
          onWritten: ({ manifest }) => place.onSealed(manifest),
          onFailure: (text) => tell({ chain, event: 'again', text }),
        }),
      )
    }
  }
}

type Place = {
  readonly root: string
  readonly signal: AbortSignal
  onSealed(range: BlockRange): void
}

/**
 * Seals a chain into the order's folder, or into one whose ranges are uploaded: while the storage fails, that is tried again.
 * `shownAs` is the chain's name in the log.
 */
async function sealChain(
  { root, home, every }: SealerOrder,
  chain: string,
  shownAs: string,
  run: (place: Place) => Promise<void>,
): Promise<void> {
  const { signal } = new AbortController()
  const use = { root, chain, env: { ...process.env, RIDGELINE_HOME: home }, signal, say: () => undefined }
  for (;;) {
    try {
      return await writeOnFolder(use, (folder, ended, published) =>
        run({
          root: folder,
          signal: ended,
          onSealed({ from, to }) {
            published({ chain, name: rangeName({ from, to }) })
            tell({ chain: shownAs, event: 'sealed', text: `${from} to ${to}` })
          },
        }),
      )
    } catch (error) {
      const isOver = error instanceof FatalError || !isRemote(root)
      tell({ chain: shownAs, event: isOver ? 'stopped' : 'again', text: String(error) })
      if (isOver) return
      await pause(every ?? uploadAgainAfter, signal)
    }
  }
}
