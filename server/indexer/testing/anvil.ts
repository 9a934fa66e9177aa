import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startAnvil as startNode } from '../../node/testing/anvil.ts'

/** A real node in its own process. */
export type AnvilNode = { readonly rpcUrl: string; readonly wsUrl: string; stop(): Promise<void> }

/** Starts a node that mines only on request and keeps all states. Its chain begins in November 2023. */
export async function startAnvil(chainId: number): Promise<AnvilNode> {
  const folder = await mkdtemp(join(tmpdir(), 'ridgeline-anvil-'))
  const options = `--chain-id ${chainId} --no-mining --timestamp 1700000000`
  const { url, stop } = await startNode([...options.split(' '), '--cache-path', folder])
  return {
    rpcUrl: url,
    wsUrl: url.replace('http:', 'ws:'),
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
