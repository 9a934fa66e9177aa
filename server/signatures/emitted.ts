import { decodePTx } from '../../protocol/primary/p-transactions.ts'
import type { PUnsigned } from '../../protocol/primary/p-transactions.ts'
import { Reader } from '../../protocol/codec/reader.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import type { ServedNetwork } from '../primary/served-network.ts'
import type { Queryable } from '../store/database.ts'
import {
  readConversions,
  readStoredTransactions,
  readValidations,
  type StoredTxRow,
  type ValidationRow,
} from '../store/signatures/read-warp.ts'
import { encodeJustification } from '../../protocol/warp/justification.ts'
import {
  conversionIdOf,
  decodeL1Payload,
  pChainMessage,
  registeredValidationId,
  type L1Payload,
} from '../../protocol/warp/l1-payloads.ts'
import { primarySubnetId } from './sources.ts'
import { decodePayload, readUnsigned } from '../../protocol/warp/warp-messages.ts'

/** The message that a P-Chain transaction lets validators sign. */
export type TransactionMessage = {
  readonly payload: L1Payload
  /** The unsigned bytes. */
  readonly message: Uint8Array
  /** Empty if the signers need no justification. */
  readonly justification: Uint8Array
  /** cb58: the subnet of the chain on which the L1's manager checks the message. */
  readonly signingSubnetId: string
  /** Why validators no longer sign it, according to the index. */
  readonly refusal?: string
}

const nothing = new Uint8Array(0)

/** The payload of a transaction about an L1, with its subnet or validation. */
type Said =
  | { readonly type: 'convert'; readonly tx: Extract<PUnsigned, { type: 'ConvertSubnetToL1Tx' }> }
  | { readonly type: 'register'; readonly payload: Uint8Array; readonly subnetId: Uint8Array }
  | {
      readonly type: 'weight'
      readonly validationId: Uint8Array
      readonly nonce: bigint
      readonly weight: bigint
    }

function saidBy(row: StoredTxRow): Said | undefined {
  const { unsigned } = decodePTx(row.bytes)
  if (unsigned.type === 'ConvertSubnetToL1Tx') return { type: 'convert', tx: unsigned }
  if (unsigned.type !== 'RegisterL1ValidatorTx' && unsigned.type !== 'SetL1ValidatorWeightTx')
    return undefined
  const call = decodePayload(readUnsigned(new Reader(unsigned.message)).payload)
  if (call.kind !== 'AddressedCall') return undefined
  const payload = decodeL1Payload(call.payload)
  if (payload.type === 'RegisterL1Validator') {
    return { type: 'register', payload: call.payload, subnetId: payload.subnetId }
  }
  return payload.type === 'L1ValidatorWeight' ? { ...payload, type: 'weight' } : undefined
}

const validationIn = (said: Said): Uint8Array | undefined => {
  if (said.type === 'convert') return undefined
  return said.type === 'register' ? registeredValidationId(said.payload) : said.validationId
}

/**
 * The messages that transactions let validators sign, in the same order; undefined for a transaction that is not about
 * an L1's conversion, registration or weight. Validators sign the current state (docs/signatures.md): for a validation
 * that has ended, they sign that it has ended.
 */
export async function readTransactionMessages(
  database: Queryable,
  network: ServedNetwork,
  rows: readonly StoredTxRow[],
): Promise<(TransactionMessage | undefined)[]> {
  const all = rows.map(saidBy)
  const said = all.filter((each) => each !== undefined)
  const ids = said.map(validationIn).filter((id) => id !== undefined)
  const validations = await readValidations(database, network.p, ids)
  const validationOf = (id: Uint8Array): ValidationRow | undefined =>
    validations.find((row) => row.validation_id.equals(id))
  const removals = await readRemovals(
    database,
    network,
    validations.filter(({ weight }) => weight === '0'),
  )
  const subnetOf = (each: Said): Uint8Array | undefined => {
    if (each.type === 'convert') return each.tx.subnetId
    return each.type === 'register' ? each.subnetId : validationOf(each.validationId)?.subnet
  }
  const subnets = said.map(subnetOf).filter((id) => id !== undefined)
  const signers = await readManagerSubnets(database, network, subnets)

  return all.map((each) => {
    if (each === undefined) return undefined
    const validationId = validationIn(each)
    const row = validationId && validationOf(validationId)
    const { payload, justification = nothing, refusal } = signable(each, row, removals)
    const subnet = subnetOf(each)
    return {
      payload,
      message: pChainMessage(network.config.networkId, payload),
      justification,
      signingSubnetId: (subnet && signers.get(cb58(subnet))) ?? primarySubnetId,
      ...(refusal !== undefined && { refusal }),
    }
  })
}

type Signable = {
  readonly payload: L1Payload
  readonly justification?: Uint8Array | undefined
  readonly refusal?: string
}

/** The payload that validators sign for a transaction, by the current state of its validation. */
function signable(
  said: Said,
  row: ValidationRow | undefined,
  removals: ReadonlyMap<string, Uint8Array>,
): Signable {
  if (said.type === 'convert') {
    const { subnetId } = said.tx
    return {
      payload: { type: 'SubnetToL1Conversion', conversionId: conversionIn(said.tx) },
      justification: encodeJustification({ kind: 'subnet', subnetId }),
    }
  }
  const validationId = said.type === 'register' ? registeredValidationId(said.payload) : said.validationId
  const isGone = row?.weight === '0'
  if (said.type === 'register' || said.weight === 0n) {
    const justification = isGone ? removals.get(cb58(validationId)) : undefined
    return {
      payload: { type: 'L1ValidatorRegistration', validationId, registered: !isGone },
      justification,
    }
  }
  const { nonce, weight } = said
  const payload = { type: 'L1ValidatorWeight', validationId, nonce, weight } as const
  const name = cb58(validationId)
  if (isGone) return { payload, refusal: `validation ${name} has ended: validators sign that it is gone` }
  const latest = BigInt(row?.min_nonce ?? nonce + 1n) - 1n
  return latest === nonce
    ? { payload }
    : { payload, refusal: `validators sign the latest weight of ${name} only, which has nonce ${latest}` }
}

const conversionIn = (tx: Extract<PUnsigned, { type: 'ConvertSubnetToL1Tx' }>): Uint8Array =>
  conversionIdOf({
    ...tx,
    validators: tx.validators.map(({ nodeId, signer, weight }) => ({
      nodeId,
      publicKey: signer.publicKey,
      weight,
    })),
  })

/** The justifications that these validations have ended, by validation id in cb58. */
async function readRemovals(
  database: Queryable,
  network: ServedNetwork,
  gone: readonly ValidationRow[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const makers = await readStoredTransactions(
    database,
    [network.p],
    gone.map((row) => row.tx_id),
  )
  const found = new Map<string, Uint8Array>()
  for (const { validation_id, tx_id, subnet, ordinal } of gone) {
    const maker = makers.find((each) => each.id.equals(tx_id))
    const said = maker && saidBy(maker)
    if (said?.type === 'convert') {
      const justification = { kind: 'converted', subnetId: subnet, index: ordinal } as const
      found.set(cb58(validation_id), encodeJustification(justification))
    } else if (said?.type === 'register') {
      const justification = { kind: 'registered', payload: said.payload } as const
      found.set(cb58(validation_id), encodeJustification(justification))
    }
  }
  return found
}

/**
 * The subnets that sign the P-Chain's messages about L1s, by the L1's subnet, both in cb58. A chain verifies messages of
 * the P-Chain with its own subnet's validators, so this is the subnet of the chain that the L1's manager is on.
 */
async function readManagerSubnets(
  database: Queryable,
  network: ServedNetwork,
  subnets: readonly Uint8Array[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readConversions(database, network.p, subnets)
  return new Map(rows.map((row) => [cb58(row.subnet), cb58(row.manager_subnet ?? row.subnet)]))
}

/** The id of a subnet's conversion; undefined if the index has none. */
export async function readConversionId(
  database: Queryable,
  network: ServedNetwork,
  subnetId: Uint8Array,
): Promise<Uint8Array | undefined> {
  const [row] = await readConversions(database, network.p, [subnetId])
  if (!row?.conversion_tx) return undefined
  const [tx] = await readStoredTransactions(database, [network.p], [row.conversion_tx])
  const said = tx && saidBy(tx)
  return said?.type === 'convert' ? conversionIn(said.tx) : undefined
}

/** The justification that a validation has ended; undefined if it is unknown to the index or has not ended. */
export async function readRemoval(
  database: Queryable,
  network: ServedNetwork,
  validationId: Uint8Array,
): Promise<Uint8Array | undefined> {
  const rows = await readValidations(database, network.p, [validationId])
  const removals = await readRemovals(
    database,
    network,
    rows.filter(({ weight }) => weight === '0'),
  )
  return removals.get(cb58(validationId))
}
