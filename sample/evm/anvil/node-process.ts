import { setTimeout as delay } from 'node:timers/promises'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import { createRpcClient, type RpcClient } from './rpc.ts'

/** A chain's node, whose process can be replaced. */
type NodeProcess = {
  /** The running process. */
  readonly anvil: Anvil
  /** A client of the running process. */
  readonly rpc: RpcClient
  /** Resolves with a description when the process has exited by itself. */
  readonly gone: Promise<string>
  /** Starts a process from a saved state and replaces the running one with it. */
  replace(load: string): Promise<void>
  stop(): Promise<void>
}

/** A replaced process may still answer earlier calls for this long. */
const graceMs = 2000

/** Starts a chain's node. Rejects when it fails to start. */
export async function startNodeProcess(options: AnvilOptions): Promise<NodeProcess> {
  let anvil = await startAnvil(options)
  let former: Anvil | undefined
  /** The replacement that is starting. */
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
      if (isStopped) throw new Error('the node was stopped while its replacement was starting')
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
      // A process that failed to start has exited already.
      const starting = next?.then((node) => node.stop()).catch(() => undefined)
      await Promise.all([anvil.stop(), former?.stop(), starting])
    },
  }
}
