import { utils } from '@avalabs/avalanchejs'
import type { BlockPlace, NodeBlock, NodeTransaction } from './primary-node.ts'
import type { Story } from '../stack/story.ts'

/**
 * A validation of an L1, computed from the scenario's transactions. Balances in nAVAX, with a fee of one a second.
 */
export type Validation = {
  readonly from: BlockPlace
  /** The height at which its owner ended it. */
  readonly until: number
  /** Unix seconds at which its balance is used up. */
  readonly emptyAt: number
  readonly changes: readonly { readonly txId: string; readonly record: ValidationChange }[]
}

/** The change of a validation by a transaction (docs/api.md). */
type ValidationChange = {
  readonly validationId: string
  readonly validationIdHex: string
  readonly nodeId: string
  readonly subnetId: string
  readonly weight: number
  readonly remainingBalance: bigint
  /** Negative if the balance is returned. */
  readonly balanceChange: bigint
  readonly blsCredentials: { readonly publicKey: string }
}

type Started = {
  readonly id: string
  readonly nodeId: string
  readonly publicKey: string
  readonly weight: number
  readonly balance: bigint
  readonly by: NodeTransaction
}

/**
 * The three validations of the scenario: two of the conversion, one of which exhausts its balance, and one that is
 * registered, gets another weight and a higher balance, is disabled, and removed.
 */
export function validationsOf(blocks: readonly NodeBlock[], story: Story): Validation[] {
  const transactions = new Map(blocks.flatMap((block) => block.transactions).map((tx) => [tx.id, tx]))
  const txOf = (name: string): NodeTransaction => {
    const found = transactions.get(story.p[name] ?? '')
    if (found === undefined) throw new Error(`the story has no ${name}`)
    return found
  }
  const recordOf = (start: Started, weight: number, balance: bigint, change: bigint) => ({
    validationId: start.id,
    validationIdHex: utils.bufferToHex(utils.base58check.decode(start.id)),
    nodeId: start.nodeId,
    subnetId: story.l1SubnetId,
    weight,
    remainingBalance: balance,
    balanceChange: change,
    blsCredentials: { publicKey: start.publicKey },
  })
  const begin = (start: Started) => ({
    txId: start.by.id,
    record: recordOf(start, start.weight, start.balance, start.balance),
  })
  const convert = txOf('convert')
  const converted = (convert.unsigned.validators ?? []).map((each, at): Validation => {
    const balance = BigInt(each.balance)
    const nodeId = `NodeID-${utils.base58check.encode(utils.hexToBuffer(each.nodeID))}`
    const { publicKey } = each.signer
    const id = story.validationIds[at] ?? ''
    const emptyAt = convert.block.time + Number(balance)
    const changes = [begin({ id, nodeId, publicKey, weight: each.weight, balance, by: convert })]
    return { from: convert.block, until: Infinity, emptyAt, changes }
  })
  const [register, setWeight, increase, disable, remove] = [
    'register',
    'setWeight',
    'increaseBalance',
    'disable',
    'remove',
  ].map(txOf)
  if (!register || !setWeight || !increase || !disable || !remove)
    throw new Error('the scenario is incomplete')
  const balance = BigInt(register.unsigned.balance ?? 0)
  const added = BigInt(increase.unsigned.balance ?? 0)
  const start = { ...story.joining, id: story.validationIds[2] ?? '', balance, by: register }
  const paidUntil = (tx: NodeTransaction): bigint => BigInt(tx.block.time - register.block.time)
  const left = balance + added - paidUntil(disable)
  const changes = [
    begin(start),
    { txId: setWeight.id, record: recordOf(start, 12, balance - paidUntil(setWeight), 0n) },
    { txId: increase.id, record: recordOf(start, 12, balance + added - paidUntil(increase), added) },
    { txId: disable.id, record: recordOf(start, 12, 0n, -left) },
    { txId: remove.id, record: recordOf(start, 0, 0n, 0n) },
  ]
  const emptyAt = register.block.time + Number(balance + added)
  return [...converted, { from: register.block, until: disable.block.height, emptyAt, changes }]
}
