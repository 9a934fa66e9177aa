import { copyBytes, copyOptionalBytes, copyText } from '../../store/copy-text.ts'
import { refuse } from '../../kernel/json.ts'
import type { ChildRows } from './decode.ts'
import { isListedCall } from '../../store/evm/listed-calls.ts'
import { isLastingCreation, type InnerCall } from './traces.ts'

const zeroAddress = `0x${'0'.repeat(40)}`

/** The rows of a block's inner calls and of the contracts created in it. */
export class InnerRows {
  /** The sender of each transaction in the block. Must be complete before calls are added. */
  readonly origins: string[]
  /**
   * Addresses that the lists of calls and contracts are about: who moved value, or created a contract, and what was
   * created. Origins are not among them: they sent the transactions.
   */
  readonly addresses = new Set<string>()
  /** Addresses that created lasting contracts, without the zero address. */
  readonly deployers = new Set<string>()
  contractCount = 0
  readonly #number: number
  readonly #position: string
  #calls = ''
  #contracts = ''

  constructor(chain: number, number: number, origins: string[] = []) {
    this.#number = number
    this.origins = origins
    this.#position = `${chain}\t${number}\t`
  }

  /**
   * Adds a contract that was created successfully, by a call (its ordinal) or by the transaction itself (-1).
   */
  create(txIndex: number, ordinal: number, address: string, deployer: string): void {
    const origin = this.origins[txIndex]
    if (origin === undefined) throw refuse(`block ${this.#number}: a call belongs to no transaction`)
    this.#contracts += `${this.#position}${txIndex}\t${ordinal}\t${copyBytes(address)}\t${copyBytes(deployer)}\t${copyBytes(origin)}\n`
    this.contractCount += 1
    this.addresses.add(address)
    this.addresses.add(deployer)
    if (deployer !== zeroAddress) this.deployers.add(deployer)
  }

  /** Adds a call, and the contract if the call created one. */
  add(call: InnerCall): void {
    this.#calls += `${this.#position}${callColumns(call)}\n`
    if (isListedCall(call)) {
      this.addresses.add(call.sender)
      if (call.recipient !== undefined) this.addresses.add(call.recipient)
    }
    if (isLastingCreation(call)) this.create(call.txIndex, call.ordinal, call.recipient, call.sender)
  }

  /** The rows for COPY, with the columns of `copyColumns`. */
  rows(): Pick<ChildRows, 'calls' | 'contracts'> {
    return { calls: Buffer.from(this.#calls), contracts: Buffer.from(this.#contracts) }
  }
}

function callColumns(call: InnerCall): string {
  return [
    call.txIndex,
    call.ordinal,
    call.depth,
    copyText(call.type),
    call.reverted ? 't' : 'f',
    copyBytes(call.sender),
    copyOptionalBytes(call.recipient),
    call.value,
    call.gasLimit,
    call.gasUsed,
    copyOptionalBytes(call.input),
    copyOptionalBytes(call.output),
    copyText(call.error),
  ].join('\t')
}
