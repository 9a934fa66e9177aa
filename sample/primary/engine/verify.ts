import { atomicTx } from '../../../protocol/primary/atomic.ts'
import {
  type Owner,
  type Credential,
  type PTx,
  type XTx,
  type CTx,
  type AssetInput,
  readC,
  readP,
  readX,
} from '../transactions.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { pTx, pUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { xTx, xUnsigned } from '../../../protocol/primary/x-transactions.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHash } from 'node:crypto'
import { applyP, type PContext } from './apply-p.ts'
import { applyX } from './apply-x.ts'
import { CodecError, ListTooLongError, longestList } from '../../../protocol/codec/reader.ts'
import { gasOf } from '../gas.ts'
import { LedgerError } from '../ledger.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { expectTerms } from '../renewal.ts'
import { gasFees, priceAt } from '../../../protocol/primary/l1-fees.ts'
import { space, type Space, type State, utxoId } from '../state.ts'
import { type BareHex, bytesOf } from '../../../protocol/ids/bare-hex.ts'
import { sha256, sha256Hex } from '../../../protocol/native/hashes.ts'
import type { Made } from '../wallet.ts'
import type { World } from '../world.ts'

/** A signed transaction of any chain, submitted from outside. */
export type Issued =
  | { readonly chain: 'P'; readonly made: Made<PTx> }
  | { readonly chain: 'X'; readonly made: Made<XTx> }
  | { readonly chain: 'C'; readonly made: Made<CTx> }

/** Decodes signed bytes. Throws `LedgerError`. */
export function readIssued(chain: ChainAlias, bytes: Uint8Array): Issued {
  const id = sha256Hex(bytes)
  try {
    if (chain === 'P')
      return { chain, made: { tx: exactly(readP(bytes), (tx) => encode(pTx, tx), bytes), id, bytes } }
    if (chain === 'X')
      return { chain, made: { tx: exactly(readX(bytes), (tx) => encode(xTx, tx), bytes), id, bytes } }
    return { chain, made: { tx: exactly(readC(bytes), (tx) => encode(atomicTx, tx), bytes), id, bytes } }
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    const words = chain === 'C' ? 'problem parsing transaction' : "couldn't unmarshal tx"
    const why =
      error instanceof ListTooLongError
        ? `max slice length exceeded; array length, ${error.count}, exceeds maximum length, ${longestList}`
        : error.message
    throw new LedgerError(`${words}: ${why}`, { cause: error })
  }
}

/** Refuses a value whose canonical encoding differs. Throws CodecError. */
function exactly<T>(value: T, write: (value: T) => Uint8Array, bytes: Uint8Array): T {
  if (Buffer.compare(write(value), bytes) !== 0) throw new CodecError('the bytes are not canonical', 0)
  return value
}

function signersIn(hash: Uint8Array, credential: Credential): Uint8Array[] {
  return credential.signatures.map((hex) => {
    const bytes = bytesOf(hex)
    const recovered = Buffer.concat([bytes.subarray(64), bytes.subarray(0, 64)])
    try {
      return secp256k1.recoverPublicKey(new Uint8Array(recovered), hash, { prehash: false })
    } catch (error) {
      throw new LedgerError('invalid signature', { cause: error })
    }
  })
}

function addressIn(publicKey: Uint8Array): BareHex {
  return createHash('ripemd160').update(sha256(publicKey)).digest('hex')
}

/**
 * Throws `LedgerError` unless the credential contains the signatures of the owner's given addresses, all that
 * are required.
 */
function expectSigned(
  hash: Uint8Array,
  owner: Owner,
  places: readonly number[],
  credential: Credential | undefined,
  time: number,
): void {
  if (owner.locktime > BigInt(time)) throw new LedgerError('output is still locked')
  if (credential === undefined || places.length !== owner.threshold) {
    throw new LedgerError('input has wrong number of signatures')
  }
  const found = signersIn(hash, credential).map(addressIn)
  const wanted = places.map((place) => owner.addresses[place])
  const isRight = found.length === wanted.length && found.every((address, index) => address === wanted[index])
  if (!isRight) throw new LedgerError('expected signature from another key')
}

type Claim = {
  readonly owner: Owner
  readonly places: readonly number[]
}

function claim(
  state: State,
  from: Space,
  { txId, outputIndex }: Pick<AssetInput, 'txId' | 'outputIndex'>,
  places: readonly number[],
): Claim {
  const utxo = space(state, from).get(utxoId(txId, outputIndex))
  if (utxo === undefined) throw new LedgerError('failed to get UTXO: not found')
  return { owner: utxo.output.owner, places }
}

function sourceOf(world: World, self: ChainAlias, id: BareHex): Space {
  const name = world.names[id]
  if (name === undefined || name === self) throw new LedgerError('unknown chain')
  return `${self}<${name}`
}

/** The claims of the inputs that pay, and of imported ones. */
function paying(
  world: World,
  state: State,
  chain: 'P' | 'X',
  tx: Extract<(PTx | XTx)['unsigned'], { readonly base: unknown }>,
): Claim[] {
  const claims = tx.base.inputs.map((each) => claim(state, chain, each, each.signatureIndices))
  if (tx.type !== 'ImportTx') return claims
  const from = sourceOf(world, chain, tx.sourceChain)
  return [...claims, ...tx.importedInputs.map((each) => claim(state, from, each, each.signatureIndices))]
}

function claimsP(world: World, state: State, { unsigned: tx }: PTx): Claim[] {
  if (!('base' in tx)) throw new LedgerError('this transaction is for block builders')
  const claims = paying(world, state, 'P', tx)
  if (!('authority' in tx)) return claims
  const office = officeOf(state, tx)
  if (office === undefined) throw new LedgerError('not found')
  return [...claims, { owner: office, places: tx.authority }]
}

/** The owner whose authority the transaction needs; undefined if the subnet or validator does not exist. */
function officeOf(
  state: State,
  tx: Extract<PTx['unsigned'], { readonly authority: unknown }>,
): Owner | undefined {
  if (tx.type === 'DisableL1ValidatorTx') return state.l1.get(tx.validationId)?.deactivationOwner
  if (tx.type === 'SetAutoRenewedValidatorConfigTx') {
    return state.current.get(tx.stakingTxId)?.renewal?.authority
  }
  return state.subnets.get(tx.subnetId)?.owner
}

function claimsX(world: World, state: State, { unsigned: tx }: XTx): Claim[] {
  const claims = paying(world, state, 'X', tx)
  if (tx.type !== 'OperationTx') return claims
  for (const { references, operation } of tx.operations) {
    const [reference] = references
    if (reference === undefined || references.length > 1) throw new LedgerError('operation needs one UTXO')
    claims.push(claim(state, 'X', reference, operation.signatureIndices))
  }
  return claims
}

/** A copy of the state that a trial may change. */
function trialOf(state: State): State {
  const { spaces, owned, current, pending, subnets, supply, l1, sets, assets, accounts, burned } = state
  const copied = structuredClone({
    spaces,
    owned,
    current,
    pending,
    subnets,
    supply,
    l1,
    sets,
    assets,
    accounts,
    burned,
  })
  return { ...state, ...copied, chains: [...state.chains], rewards: new Map(state.rewards) }
}

/** Throws `LedgerError` if the P or X transaction is not valid in the next block. For C see verify-c.ts. */
export function verifyIssued(
  world: World,
  state: State,
  issued: Exclude<Issued, { readonly chain: 'C' }>,
  context: PContext,
): void {
  const { ids } = world
  const { unsigned, credentials } = issued.made.tx
  if (
    'base' in unsigned &&
    (unsigned.base.networkId !== 5 || unsigned.base.blockchainId !== ids[issued.chain])
  ) {
    throw new LedgerError('tx was created on a different network or chain')
  }
  const trial = trialOf(state)
  const expectAll = (hash: Uint8Array, claims: readonly Claim[]): void => {
    if (claims.length !== credentials.length) throw new LedgerError('wrong number of credentials')
    claims.forEach(({ owner, places }, index) =>
      expectSigned(hash, owner, places, credentials[index], state.time),
    )
  }
  const names = { txId: issued.made.id, avax: ids.avax, ids: world.names }
  if (issued.chain === 'P') {
    const { tx, bytes } = issued.made
    expectAll(sha256(encode(pUnsigned, tx.unsigned)), claimsP(world, state, tx))
    const { unsigned: wanted } = tx
    if (wanted.type === 'AddAutoRenewedValidatorTx' || wanted.type === 'SetAutoRenewedValidatorConfigTx') {
      expectTerms(wanted, state.time, context)
    }
    applyP(trial, tx, context)
    const paid = trial.burned.P - state.burned.P
    const price = priceAt(gasFees, state.gas.excess)
    // The gas in this ledger is an estimate, so half of the fee is sufficient.
    if (paid * 2n < gasOf(tx, bytes.length) * price) throw new LedgerError('insufficient fee')
    return
  }
  const { tx } = issued.made
  expectAll(sha256(encode(xUnsigned, tx.unsigned)), claimsX(world, state, tx))
  applyX(trial, tx, names)
  if (trial.burned.X - state.burned.X < 1_000_000n) throw new LedgerError('insufficient fee')
}
