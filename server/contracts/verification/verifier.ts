import { randomUUID } from 'node:crypto'
import type { Chain } from '../../kernel/settings/chains.ts'
import { HttpError, OverloadError } from '../../kernel/http-errors.ts'
import type { VerificationConfig } from '../../kernel/settings/verification.ts'
import type { NodeClient } from '../../node/client.ts'
import type { Nodes } from '../../node/nodes.ts'
import { codeOf } from '../../node/state.ts'
import {
  addVerificationJob,
  changeVerificationJob,
  keepVerified,
  type VerificationJob,
  type VerifiedContract,
} from '../../store/evm/contracts/verified-contracts.ts'
import { keepMade, readCreatedBy, type MadeContract } from '../../store/evm/contracts/contract-codes.ts'
import type { StoreGate } from '../../store/store-gate.ts'
import { compilersFolder } from '../compiler/compilers.ts'
import { runCompiler } from '../compiler/run-compiler.ts'
import { checkContract, VerificationFailure } from './check.ts'
import { recognizeMade } from './made.ts'
import type { VerificationRequest } from './request.ts'

/** A check that was asked for. */
type Submission = {
  readonly chain: Chain
  /** Lower case. */
  readonly address: string
  readonly request: VerificationRequest
  /** Whose check it is, for the limit of those that wait. */
  readonly caller: string
}

/** Checks of one caller that wait or run, and of all. */
const maxOfCaller = 2
const maxWaiting = 50

/** Contracts that one has created, the newest, that are compared with what it can create once it is verified. */
const maxRecognized = 1_000

/** The most bytes of a compiler's answer. */
const outputBytes = 128 * 1_048_576

type VerifierOptions = {
  readonly settings: VerificationConfig
  readonly home: string
  readonly store: StoreGate
  readonly nodes: Nodes
  /** Unix seconds. */
  readonly clock: () => number
  /** Is told of failures that are ours. */
  readonly onError: (error: unknown) => void
}

/** Checks sources one after the other, each in a process of its own. */
export class Verifier {
  readonly #options: VerifierOptions
  readonly #waiting: (Submission & { readonly job: string })[] = []
  readonly #closing = new AbortController()
  #running: { readonly caller: string; readonly key: string } | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(options: VerifierOptions) {
    this.#options = options
  }

  /**
   * Takes a check, and returns the id of its job. Throws a 429 if two of the caller wait already, or one of the same
   * address, and a 503 if too many do.
   */
  async submit(submission: Submission): Promise<string> {
    const { store, clock } = this.#options
    const open = this.#waiting.map((each) => ({ caller: each.caller, key: keyOf(each) }))
    if (this.#running) open.push(this.#running)
    if (open.some(({ key }) => key === keyOf(submission)))
      throw new HttpError(429, `a check of ${submission.address} is under way already`)
    if (open.filter(({ caller }) => caller === submission.caller).length >= maxOfCaller)
      throw new HttpError(429, `${maxOfCaller} checks of yours are under way; wait for one of them`)
    if (open.length >= maxWaiting) throw new OverloadError('too many checks of contracts wait')
    const job = randomUUID()
    const entry = { ...submission, job }
    // At once, so that two requests of the same moment count.
    this.#waiting.push(entry)
    try {
      await store.write((sql) =>
        addVerificationJob(sql, {
          job,
          chain: submission.chain.key,
          address: Buffer.from(submission.address.slice(2), 'hex'),
          started_ts: BigInt(clock()),
        }),
      )
    } catch (error) {
      this.#waiting.splice(this.#waiting.indexOf(entry), 1)
      throw error
    }
    this.#work = this.#work.then(() => this.#next(entry))
    return job
  }

  /** Ends the check that runs; those that wait are never done. Resolves once nothing runs any more. */
  async close(): Promise<void> {
    this.#closing.abort(new VerificationFailure('internal_error', 'The service was stopped: try again.'))
    await this.#work
  }

  async #next(entry: Submission & { readonly job: string }): Promise<void> {
    this.#waiting.splice(this.#waiting.indexOf(entry), 1)
    this.#running = { caller: entry.caller, key: keyOf(entry) }
    try {
      await this.#check(entry)
    } catch (error) {
      this.#options.onError(error)
    } finally {
      this.#running = undefined
    }
  }

  async #check({ job, chain, address, request }: Submission & { readonly job: string }): Promise<void> {
    const { settings, home, store, nodes, clock } = this.#options
    const change = (values: Parameters<typeof changeVerificationJob>[2]): Promise<void> =>
      store.write((sql) => changeVerificationJob(sql, job, values))
    let result: Partial<VerificationJob>
    let recognize: (() => Promise<void>) | undefined
    try {
      this.#closing.signal.throwIfAborted()
      const { signal } = this.#closing
      const client = nodes.of(chain)
      const { contract, made } = await checkContract(request, {
        chain,
        address,
        client,
        database: store.get().database,
        folder: compilersFolder(home),
        compile: (file) => (input) => runCompiler(file, input, { ...settings, outputBytes }, signal),
        onStage: (state) => change({ state }),
        clock,
      })
      await store.write((sql) => keepVerified(sql, contract))
      const { runtime_match, creation_match } = contract
      result = { state: 'done', runtime_match, creation_match }
      recognize = () => this.#recognizeMade(contract, made, client)
    } catch (error) {
      if (!(error instanceof VerificationFailure)) this.#options.onError(error)
      const { code, message } =
        error instanceof VerificationFailure
          ? error
          : {
              code: 'internal_error',
              message: 'The check failed for a reason of the service; its log has it.',
            }
      result = { state: 'failed', error_code: code, error_message: message.replaceAll('\0', '') }
    }
    await change({ ...result, finished_ts: BigInt(clock()) })
    // Whoever asked need not wait for it.
    await recognize?.()
  }

  /** Keeps what a contract that was checked can create, and recognizes what it has created. */
  async #recognizeMade(
    { chain, address, code_hash }: VerifiedContract,
    compile: () => Promise<MadeContract[]>,
    client: NodeClient,
  ): Promise<void> {
    const { store, clock } = this.#options
    const made = await compile()
    await store.write((sql) => keepMade(sql, code_hash, made))
    if (made.length === 0) return
    const { database } = store.get()
    for (const { address: created } of await readCreatedBy(database, chain, address, maxRecognized)) {
      if (this.#closing.signal.aborted) return
      const code = await codeOf(client, `0x${created.toString('hex')}`)
      const found = await recognizeMade(
        database,
        chain,
        { address: created, creator: address, code },
        clock(),
      )
      if (found) await store.write((sql) => keepVerified(sql, found))
    }
  }
}

const keyOf = ({ chain, address }: Pick<Submission, 'chain' | 'address'>): string => `${chain.id} ${address}`
