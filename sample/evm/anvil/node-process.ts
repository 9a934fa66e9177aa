import { setTimeout as delay } from 'node:timers/promises'
import type { Anvil, AnvilOptions } from './anvil.ts'
import { startAnvil } from './anvil.ts'
import type { RpcClient } from './rpc.ts'
import { createRpcClient } from './rpc.ts'

/** A chain's node, which another process can take the place of. */
export type NodeProcess = {
  /** The process that runs now. */
  readonly anvil: Anvil
  /** Speaks to whichever process runs. */
  readonly rpc: RpcClient
  /** Resolves when the process has gone by itself, with the words to say so. */
  readonly gone: Promise<string>
  /** Starts another process from a saved state, which takes the place of the one that runs. */
  replace(load: string): Promise<void>
  stop(): Promise<void>
}

/** A process that was replaced still answers what it was asked before. */
const graceMs = 2000

/** Starts a chain's node. Rejects when it does not start. */
export async function startNodeProcess(options: AnvilOptions): Promise<NodeProcess> {
  let anvil = await startAnvil(options)
  let former: Anvil | undefined
  /** The process that `replace` is starting. */
  let next: Promise<Anvil> | undefined
  let isStopped = false
  const rpc = createRpcClient(() => anvil.port)
  let sayGone: (words: string) => void = () => undefined
  const gone = new Promise<string>((resolve) => (sayGone = resolve))
  watch(anvil)

  function watch(node: Anvil): void {
    void node.gone.then((words) => {
      if (node === anvil) sayGone(words)
    })
  }

  return {
    get anvil() {
      return anvil
    },
    rpc,
    gone,
    async replace(load) {
      next = startAnvil({ ...options, load })
      const started = await next
      next = undefined
      if (isStopped) throw new Error('the node was stopped while another process took its place')
      await former?.stop()
      const replaced = anvil
      former = replaced
      anvil = started
      watch(started)
      void delay(graceMs, undefined, { ref: false }).then(() => replaced.stop())
    },
    async stop() {
      isStopped = true
      rpc.close()
      // One that fails to start has ended by itself.
      const starting = next?.then((node) => node.stop()).catch(() => undefined)
      await Promise.all([anvil.stop(), former?.stop(), starting])
    },
  }
}
