import type { AddressForm, Json } from './parts.ts'
import {
  expectType,
  hexText,
  readBase,
  readId,
  readIndices,
  readInput,
  readOwners,
  readPCredential,
  readPOutput,
} from './parts.ts'
import type { Reader } from './reader.ts'
import { ParseError, createReader } from './reader.ts'
import { idText, nodeIdText, sha256 } from '../rpc/text.ts'

const codecVersion = Buffer.from([0, 0])
const publicKeyLength = 48
const proofLength = 96

const advanceTime = 19
const rewardValidator = 20
const addAutoRenewed = 40
const setAutoRenewed = 41
const rewardAutoRenewed = 42

function readNodeId(reader: Reader): string {
  return nodeIdText(reader.bytes(20).toString('hex'))
}

function readValidator(reader: Reader): Json {
  const nodeID = readNodeId(reader)
  const start = reader.u64()
  const end = reader.u64()
  return { nodeID, start, end, weight: reader.u64() }
}

function readProof(reader: Reader): Json {
  const publicKey = hexText(reader.bytes(publicKeyLength))
  return { publicKey, proofOfPossession: hexText(reader.bytes(proofLength)) }
}

function readSigner(reader: Reader): Json {
  return expectType(reader, 27, 28) === 27 ? {} : readProof(reader)
}

function readAuth(reader: Reader): Json {
  expectType(reader, 10)
  return readIndices(reader)
}

/** Owners inside an L1's messages: no locktime, and addresses without a chain. */
function readBareOwner(reader: Reader): Json {
  const threshold = reader.u32()
  return { threshold, addresses: reader.list((each) => idText(each.bytes(20).toString('hex'))) }
}

function readL1Validator(reader: Reader): Json {
  const nodeID = hexText(reader.long())
  const weight = reader.u64()
  const balance = reader.u64()
  const signer = readProof(reader)
  const remainingBalanceOwner = readBareOwner(reader)
  return { nodeID, weight, balance, signer, remainingBalanceOwner, deactivationOwner: readBareOwner(reader) }
}

function readRenewal(reader: Reader): Json {
  const autoCompoundRewardShares = reader.u32()
  return { autoCompoundRewardShares, period: reader.u64() }
}

type Body = (reader: Reader, form: AddressForm) => Json

function owner(reader: Reader, form: AddressForm): Json {
  expectType(reader, 11)
  return readOwners(reader, form)
}

function stake(reader: Reader, form: AddressForm): readonly Json[] {
  return reader.list((each) => readPOutput(each, form))
}

/** What follows the common part, by the transaction's type. Members in the order of the bytes. */
const bodies: ReadonlyMap<number, Body> = new Map<number, Body>([
  [
    12,
    (reader, form) => ({
      validator: readValidator(reader),
      stake: stake(reader, form),
      rewardsOwner: owner(reader, form),
      shares: reader.u32(),
    }),
  ],
  [
    13,
    (reader) => {
      const validator = { ...readValidator(reader), subnetID: readId(reader) }
      return { validator, subnetAuthorization: readAuth(reader) }
    },
  ],
  [
    14,
    (reader, form) => ({
      validator: readValidator(reader),
      stake: stake(reader, form),
      rewardsOwner: owner(reader, form),
    }),
  ],
  [
    15,
    (reader) => ({
      subnetID: readId(reader),
      chainName: reader.text(),
      vmID: readId(reader),
      fxIDs: reader.list(readId),
      genesisData: reader.long().toString('base64'),
      subnetAuthorization: readAuth(reader),
    }),
  ],
  [16, (reader, form) => ({ owner: owner(reader, form) })],
  [17, (reader) => ({ sourceChain: readId(reader), importedInputs: reader.list(readInput) })],
  [18, (reader, form) => ({ destinationChain: readId(reader), exportedOutputs: stake(reader, form) })],
  [
    23,
    (reader) => ({
      nodeID: readNodeId(reader),
      subnetID: readId(reader),
      subnetAuthorization: readAuth(reader),
    }),
  ],
  [
    24,
    (reader) => ({
      subnetID: readId(reader),
      assetID: readId(reader),
      initialSupply: reader.u64(),
      maximumSupply: reader.u64(),
      minConsumptionRate: reader.u64(),
      maxConsumptionRate: reader.u64(),
      minValidatorStake: reader.u64(),
      maxValidatorStake: reader.u64(),
      minStakeDuration: reader.u32(),
      maxStakeDuration: reader.u32(),
      minDelegationFee: reader.u32(),
      minDelegatorStake: reader.u64(),
      maxValidatorWeightFactor: reader.u8(),
      uptimeRequirement: reader.u32(),
      subnetAuthorization: readAuth(reader),
    }),
  ],
  [
    25,
    (reader, form) => ({
      validator: readValidator(reader),
      subnetID: readId(reader),
      signer: readSigner(reader),
      stake: stake(reader, form),
      validationRewardsOwner: owner(reader, form),
      delegationRewardsOwner: owner(reader, form),
      shares: reader.u32(),
    }),
  ],
  [
    26,
    (reader, form) => ({
      validator: readValidator(reader),
      subnetID: readId(reader),
      stake: stake(reader, form),
      rewardsOwner: owner(reader, form),
    }),
  ],
  [
    33,
    (reader, form) => ({
      subnetID: readId(reader),
      subnetAuthorization: readAuth(reader),
      newOwner: owner(reader, form),
    }),
  ],
  [34, () => ({})],
  [
    35,
    (reader) => ({
      subnetID: readId(reader),
      chainID: readId(reader),
      address: hexText(reader.long()),
      validators: reader.list(readL1Validator),
      subnetAuthorization: readAuth(reader),
    }),
  ],
  [
    36,
    (reader) => ({
      balance: reader.u64(),
      // The node has a fixed array here, which Go writes as a list of numbers.
      proofOfPossession: [...reader.bytes(proofLength)],
      message: hexText(reader.long()),
    }),
  ],
  [37, (reader) => ({ message: hexText(reader.long()) })],
  [38, (reader) => ({ validationID: readId(reader), balance: reader.u64() })],
  [39, (reader) => ({ validationID: readId(reader), disableAuthorization: readAuth(reader) })],
  [
    addAutoRenewed,
    (reader, form) => ({
      nodeID: hexText(reader.long()),
      signer: readSigner(reader),
      stake: stake(reader, form),
      validationRewardsOwner: owner(reader, form),
      delegationRewardsOwner: owner(reader, form),
      validatorAuthority: owner(reader, form),
      delegationShares: reader.u32(),
      ...readRenewal(reader),
    }),
  ],
  [setAutoRenewed, (reader) => ({ txID: readId(reader), auth: readAuth(reader), ...readRenewal(reader) })],
])

function readUnsigned(reader: Reader, form: AddressForm): Json {
  const type = reader.u32()
  if (type === advanceTime) return { time: reader.u64() }
  if (type === rewardValidator) return { txID: readId(reader) }
  if (type === rewardAutoRenewed) return { txID: readId(reader), timestamp: reader.u64() }
  const body = bodies.get(type)
  if (body === undefined) throw new ParseError(`there is no transaction type ${type}`)
  const base = readBase(reader, (each) => readPOutput(each, form))
  return { ...base, ...body(reader, form) }
}

/** A transaction as it lies in a block of `source`: without the version, which its id is made with all the same. */
function readTx(reader: Reader, source: Uint8Array, form: AddressForm): Json {
  const from = reader.offset
  const unsignedTx = readUnsigned(reader, form)
  const credentials = reader.list(readPCredential)
  const id = sha256(codecVersion, source.subarray(from, reader.offset))
  return { unsignedTx, credentials, id: idText(id.toString('hex')) }
}

function readVersion(reader: Reader): void {
  const version = reader.u16()
  if (version !== 0) throw new ParseError(`there is no codec version ${version}`)
}

/** platform.getTx's JSON of a signed transaction. Throws `ParseError`. */
export function pTxJson(bytes: Uint8Array, form: AddressForm): Json {
  const reader = createReader(bytes)
  readVersion(reader)
  const tx = readTx(reader, bytes, form)
  reader.end()
  return tx
}

/** An output that a transaction stakes: its bytes as the codec writes it alone, with the version. */
export type Staked = {
  readonly assetId: string
  readonly amount: bigint
  readonly addresses: readonly string[]
  readonly bytes: Uint8Array
}

const withStake: ReadonlySet<number> = new Set([12, 14, 25, 26, addAutoRenewed])

/** What a staking transaction stakes; nothing for every other transaction. Throws `ParseError`. */
export function readStake(bytes: Uint8Array, form: AddressForm): readonly Staked[] {
  const reader = createReader(bytes)
  readVersion(reader)
  const type = reader.u32()
  if (!withStake.has(type)) return []
  readBase(reader, (each) => readPOutput(each, form))
  if (type === addAutoRenewed) reader.long()
  else readValidator(reader)
  if (type === 25 || type === 26) readId(reader)
  if (type === 25 || type === addAutoRenewed) readSigner(reader)
  return reader.list((each) => {
    const from = each.offset
    const assetId = bytes.slice(from, from + 32)
    const { output } = readPOutput(each, form) as { output: Json }
    const amount = (output['output'] ?? output) as { amount: bigint; addresses: readonly string[] }
    return {
      assetId: Buffer.from(assetId).toString('hex'),
      amount: amount.amount,
      addresses: amount.addresses,
      bytes: Buffer.concat([codecVersion, bytes.subarray(from, each.offset)]),
    }
  })
}

const apricotProposal = 0
const apricotStandard = 3
const apricotAtomic = 4
const banffProposal = 29
const banffStandard = 32

/** platform.getBlock's JSON of a block, Apricot (types 0 to 4) or Banff (29 to 32). Throws `ParseError`. */
export function pBlockJson(bytes: Uint8Array, form: AddressForm): Json {
  const reader = createReader(bytes)
  readVersion(reader)
  const type = expectType(reader, 0, 1, 2, 3, 4, 29, 30, 31, 32)
  const one = (): Json => readTx(reader, bytes, form)
  const time = type >= banffProposal ? { time: reader.u64() } : {}
  const before = type === banffProposal ? { txs: reader.list(one) } : {}
  const parentID = readId(reader)
  const height = reader.u64()
  const id = idText(sha256(bytes).toString('hex'))
  const common = { ...time, ...before, parentID, height, id }
  let found: Json = common
  if (type === apricotStandard || type === banffStandard) found = { ...common, txs: reader.list(one) }
  if (type === apricotProposal || type === apricotAtomic || type === banffProposal) {
    found = { ...common, tx: one() }
  }
  reader.end()
  return found
}
