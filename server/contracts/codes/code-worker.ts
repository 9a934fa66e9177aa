import { keccak256, type Hex } from 'viem'
import { pause } from '../../kernel/pause.ts'
import {
  keepCodes,
  readCreated,
  unknownOf,
  type KnownCode,
  type CreatedContract,
} from '../../store/evm/contracts/contract-codes.ts'
import { keepVerified } from '../../store/evm/contracts/verified-contracts.ts'
import { FirstSeen, readHead } from '../../tokens/facts/first-seen.ts'
import { NodeCalls, type WorkerOptions } from '../../tokens/facts/node-calls.ts'
import { NodeFailures } from '../../tokens/facts/node-failures.ts'
import { recognizeMade } from '../verification/made.ts'

/** Codes per request to the store. */
const atOnce = 200
/** The largest answer in bytes: forty codes of 24 kB in hex. */
const bounds = { maxBytes: 4 * 1_048_576, concurrency: 2 }

/**
 * Keeps the code hash of every contract that the chain's index saw created, and recognizes those that a verified one created
 * (docs/contracts.md). Each is asked for twice: when it is new, and when no reorg can replace it any more. Runs until the
 * signal, under the chain's lock. Rejects only if the store fails.
 */
export async function followCodes(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const worker = new CodeWorker(options)
  try {
    await worker.run(signal)
  } finally {
    worker.close()
  }
}

class CodeWorker {
  readonly #options: WorkerOptions
  readonly #node: NodeCalls
  readonly #failures: NodeFailures

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#failures = new NodeFailures(options, 'codes')
    this.#node = new NodeCalls(options.chain, bounds)
  }

  async run(signal: AbortSignal): Promise<void> {
    const { database, chain, clock, tick = 5_000 } = this.#options
    const id = BigInt(chain.evmChainId)
    let settled = -1n
    const seen = new FirstSeen(
      async (from, max) => {
        const created = await readCreated(database, id, from, max)
        const unknown = await unknownOf(database, id, created, settled)
        for (let start = 0; start < unknown.length && !signal.aborted; start += atOnce)
          await this.#ask(unknown.slice(start, start + atOnce), settled, signal)
        return { found: created.length, last: created.at(-1)?.number }
      },
      chain.reorgLimit,
      clock(),
    )
    let known: bigint | undefined
    while (!signal.aborted) {
      const head = await readHead(database, chain.evmChainId)
      if (head !== undefined && head !== known) {
        settled = head - BigInt(chain.reorgLimit)
        try {
          await seen.queue(head, clock(), signal)
          known = head
          this.#failures.end()
        } catch (error) {
          await this.#failures.wait(error, signal)
        }
      }
      await pause(tick, signal)
    }
  }

  close(): void {
    this.#node.close()
  }

  async #ask(created: readonly CreatedContract[], settled: bigint, signal: AbortSignal): Promise<void> {
    const { database, chain } = this.#options
    const answers = await this.#node.codes(
      created.map(({ address }) => `0x${address.toString('hex')}`),
      signal,
    )
    const known: KnownCode[] = []
    for (const [place, { number, address, creator }] of created.entries()) {
      const answer = answers[place]
      const code = answer && 'result' in answer ? answer.result : undefined
      if (typeof code !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(code)) continue
      // A node may not have the block of a young creation yet.
      if (code === '0x' && number > settled) continue
      const hash = code === '0x' ? null : Buffer.from(keccak256(code as Hex).slice(2), 'hex')
      known.push({ number, address, hash })
      if (hash && creator) await this.#recognize(address, creator, code as Hex)
    }
    await keepCodes(database, BigInt(chain.evmChainId), known, settled)
  }

  async #recognize(address: Buffer, creator: Buffer, code: Hex): Promise<void> {
    const { database, chain, clock } = this.#options
    const id = BigInt(chain.evmChainId)
    const found = await recognizeMade(database, id, { address, creator, code }, clock())
    if (found) await keepVerified(database, found)
  }
}
