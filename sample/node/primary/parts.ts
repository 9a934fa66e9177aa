import type { Reader } from './reader.ts'
import { ParseError } from './reader.ts'
import { addressText, idText } from '../rpc/text.ts'

/** A value of the API's JSON; bigints are written as bare numbers. */
export type Json = Readonly<Record<string, unknown>>

/** How addresses are written: the chain's alias, and the network's prefix. */
export type AddressForm = {
  readonly alias: string
  readonly prefix: string
}

export const secpFx = 'spdxUxVJQbX85MGxMHbKw1sHxMnSqJ3QBzDyDYEP3h6TLuxqQ'
export const nftFx = 'qd2U4HDWUvMrVUeTcCHp6xH3Qpnn1XbU5MDdnBoiifFqvgXwT'
export const propertyFx = 'rXJsCSEYXg2TehWxCEEGj6JU2PWKTkd6cBdNLjoe2SpsKD9cy'

const signatureLength = 65

export function hexText(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`
}

export function readId(reader: Reader): string {
  return idText(reader.bytes(32).toString('hex'))
}

export function expectType(reader: Reader, ...types: readonly number[]): number {
  const type = reader.u32()
  if (types.includes(type)) return type
  throw new ParseError(`type ${type} where ${types.join(' or ')} should be`)
}

/** locktime, threshold, addresses. */
export function readOwners(reader: Reader, form: AddressForm): Json {
  const locktime = reader.u64()
  const threshold = reader.u32()
  const addresses = reader.list((each) =>
    addressText(form.alias, form.prefix, each.bytes(20).toString('hex')),
  )
  return { addresses, locktime, threshold }
}

/** amount, then its owners. */
export function readAmountOutput(reader: Reader, form: AddressForm): Json {
  const amount = reader.u64()
  return { ...readOwners(reader, form), amount }
}

export function readIndices(reader: Reader): Json {
  return { signatureIndices: reader.list((each) => each.u32()) }
}

function readAmountInput(reader: Reader): Json {
  const amount = reader.u64()
  return { amount, ...readIndices(reader) }
}

function readSignatures(reader: Reader): Json {
  return { signatures: reader.list((each) => hexText(each.bytes(signatureLength))) }
}

/** P: an output of AVAX or of an elastic subnet's asset, locked for staking or not. */
export function readPOutput(reader: Reader, form: AddressForm): Json {
  const assetID = readId(reader)
  let locktime: bigint | undefined
  if (expectType(reader, 7, 22) === 22) {
    locktime = reader.u64()
    expectType(reader, 7)
  }
  const amount = readAmountOutput(reader, form)
  return { assetID, fxID: secpFx, output: locktime === undefined ? amount : { locktime, output: amount } }
}

function readUtxoId(reader: Reader): Json {
  const txID = readId(reader)
  return { txID, outputIndex: reader.u32() }
}

/** P and X: what a transaction spends. X knows no stakeable locks, so their type never comes there. */
export function readInput(reader: Reader): Json {
  const utxo = readUtxoId(reader)
  const assetID = readId(reader)
  let locktime: bigint | undefined
  if (expectType(reader, 5, 21) === 21) {
    locktime = reader.u64()
    expectType(reader, 5)
  }
  const input = readAmountInput(reader)
  return {
    ...utxo,
    assetID,
    fxID: secpFx,
    input: locktime === undefined ? input : { locktime, input },
  }
}

export { readUtxoId }

/** P: credentials are all of one kind. */
export function readPCredential(reader: Reader): Json {
  expectType(reader, 9)
  return readSignatures(reader)
}

const credentialFx: ReadonlyMap<number, string> = new Map([
  [9, secpFx],
  [14, nftFx],
  [19, propertyFx],
])

/** X: credentials name their feature extension. */
export function readXCredential(reader: Reader): Json {
  const fxID = credentialFx.get(expectType(reader, 9, 14, 19))
  return { fxID, credential: readSignatures(reader) }
}

/** networkID, chain, outputs, inputs and memo: what every transaction but two kinds begins with. */
export function readBase(reader: Reader, readOutput: (reader: Reader) => Json): Json {
  const networkID = reader.u32()
  const blockchainID = readId(reader)
  const outputs = reader.list(readOutput)
  const inputs = reader.list(readInput)
  return { networkID, blockchainID, outputs, inputs, memo: hexText(reader.long()) }
}
