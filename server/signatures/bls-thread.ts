import type { Worker } from 'node:worker_threads'
import { startWorker } from '../kernel/programs/start-worker.ts'
import { keyBytes, signatureBytes, type Claimed, type Sound } from './bls.ts'
import type { BlsResult, BlsWork } from './bls-worker.ts'
import { packed, unpacked } from './packed.ts'

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }

/** BLS arithmetic on another thread. */
export type BlsThread = {
  /** As `soundOf`, of keys of 96 bytes. */
  sound(message: Uint8Array, claimed: readonly Claimed[]): Promise<Sound>
  /** As `joinAggregates`. */
  join(aggregates: readonly Uint8Array[]): Promise<Uint8Array>
  /** Uncompresses keys: 48 bytes to 96 bytes each. Rejects if one is not a point of the curve. */
  uncompress(keys: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  /** As `signProof`. */
  proof(secret: Uint8Array, bytes: Uint8Array): Promise<Uint8Array>
  /** Ends the thread; unfinished work rejects. */
  close(): Promise<void>
}

const noSignature = new Uint8Array(signatureBytes)

function sized(size: number, key: Uint8Array): Uint8Array {
  if (key.length !== size) throw new RangeError(`a key of ${size} bytes is wanted, not ${key.length}`)
  return key
}

/**
 * Runs BLS arithmetic on a thread of its own. The thread starts with the first work, restarts after a crash, and does
 * not keep the process alive.
 */
export function createBlsThread(): BlsThread {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let nextId = 0
  let isClosed = false

  function fail(ended: Worker, error: Error): void {
    if (worker !== ended) return
    worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  function running(): Worker {
    if (isClosed) throw new Error('the thread for BLS signatures is closed')
    if (worker) return worker
    const started = startWorker('bls-worker', import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    started.on('message', ({ id, value, error }: BlsResult) => {
      const found = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) found?.resolve(value as never)
      else found?.reject(new Error(error))
    })
    started.on('error', (error) => fail(started, error))
    started.on('exit', () => fail(started, new Error('the thread for BLS signatures ended')))
    started.unref()
    worker = started
    return started
  }

  function perform<Name extends keyof BlsWork>(
    name: Name,
    given: Parameters<BlsWork[Name]>,
  ): Promise<Awaited<ReturnType<BlsWork[Name]>>> {
    return new Promise((resolve, reject) => {
      const thread = running()
      const id = nextId++
      waiting.set(id, { resolve, reject })
      thread.postMessage({ id, name, given }, [])
    })
  }

  return {
    sound: (message, claimed) =>
      perform('sound', [
        packed([message]),
        packed(claimed.map(({ key }) => sized(signatureBytes, key))),
        // A signature of another size is invalid; placeholder bytes keep the order.
        packed(
          claimed.map(({ signature }) => (signature.length === signatureBytes ? signature : noSignature)),
        ),
      ]),
    join: (aggregates) => perform('join', [packed(aggregates)]),
    async uncompress(keys) {
      const all = await perform('uncompress', [packed(keys.map((key) => sized(keyBytes, key)))])
      return unpacked(all, 2 * keyBytes)
    },
    proof: (secret, bytes) => perform('proof', [packed([secret]), packed([bytes])]),
    async close() {
      isClosed = true
      const ended = worker
      if (!ended) return
      fail(ended, new Error('the thread for BLS signatures is closed'))
      await ended.terminate()
    },
  }
}
