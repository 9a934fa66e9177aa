import type { AddressForm, Json } from './parts.ts'
import {
  nftFx,
  propertyFx,
  secpFx,
  hexText,
  readAmountOutput,
  readBase,
  readId,
  readIndices,
  readInput,
  readOwners,
  readUtxoId,
  readXCredential,
} from './parts.ts'
import type { Reader } from './reader.ts'
import { ParseError, createReader } from './reader.ts'
import { idText, sha256 } from '../rpc/text.ts'

const codecVersion = Buffer.from([0, 0])

type Part = (reader: Reader, form: AddressForm) => Json

function nftMint(reader: Reader, form: AddressForm): Json {
  const groupID = reader.u32()
  return { ...readOwners(reader, form), groupID }
}

function nftTransfer(reader: Reader, form: AddressForm): Json {
  const groupID = reader.u32()
  const payload = hexText(reader.long())
  return { ...readOwners(reader, form), groupID, payload }
}

/** Outputs by type: of money, of NFTs, of properties. */
const outputs: ReadonlyMap<number, Part> = new Map([
  [6, readOwners],
  [7, readAmountOutput],
  [10, nftMint],
  [11, nftTransfer],
  [15, readOwners],
  [16, readOwners],
])

type Operation = {
  readonly fx: string
  readonly read: Part
}

/** Operations by type, with the feature extension each belongs to. */
const operations: ReadonlyMap<number, Operation> = new Map<number, Operation>([
  [
    8,
    {
      fx: secpFx,
      read: (reader, form) => ({
        mintInput: readIndices(reader),
        mintOutput: readOwners(reader, form),
        transferOutput: readAmountOutput(reader, form),
      }),
    },
  ],
  [
    12,
    {
      fx: nftFx,
      read: (reader, form) => ({
        mintInput: readIndices(reader),
        groupID: reader.u32(),
        payload: hexText(reader.long()),
        outputs: reader.list((each) => readOwners(each, form)),
      }),
    },
  ],
  [
    13,
    {
      fx: nftFx,
      read: (reader, form) => ({ input: readIndices(reader), output: nftTransfer(reader, form) }),
    },
  ],
  [
    17,
    {
      fx: propertyFx,
      read: (reader, form) => ({
        mintInput: readIndices(reader),
        mintOutput: readOwners(reader, form),
        ownedOutput: readOwners(reader, form),
      }),
    },
  ],
  [18, { fx: propertyFx, read: readIndices }],
])

const fxByIndex = [secpFx, nftFx, propertyFx]
const fxByOutput: ReadonlyMap<number, string> = new Map([
  [6, secpFx],
  [7, secpFx],
  [10, nftFx],
  [11, nftFx],
  [15, propertyFx],
  [16, propertyFx],
])

function readTyped(reader: Reader, form: AddressForm): { type: number; output: Json } {
  const type = reader.u32()
  const read = outputs.get(type)
  if (read === undefined) throw new ParseError(`there is no output type ${type}`)
  return { type, output: read(reader, form) }
}

function readOutput(reader: Reader, form: AddressForm): Json {
  const assetID = readId(reader)
  const { type, output } = readTyped(reader, form)
  return { assetID, fxID: fxByOutput.get(type), output }
}

function readOperation(reader: Reader, form: AddressForm): Json {
  const assetID = readId(reader)
  const inputIDs = reader.list(readUtxoId)
  const type = reader.u32()
  const found = operations.get(type)
  if (found === undefined) throw new ParseError(`there is no operation type ${type}`)
  return { assetID, inputIDs, fxID: found.fx, operation: found.read(reader, form) }
}

function readState(reader: Reader, form: AddressForm): Json {
  const fxIndex = reader.u32()
  const states = reader.list((each) => readTyped(each, form).output)
  return { fxIndex, fxID: fxByIndex[fxIndex], outputs: states }
}

/** What follows the common part, by the transaction's type. */
const bodies: ReadonlyMap<number, Part> = new Map<number, Part>([
  [0, () => ({})],
  [
    1,
    (reader, form) => ({
      name: reader.text(),
      symbol: reader.text(),
      denomination: reader.u8(),
      initialStates: reader.list((each) => readState(each, form)),
    }),
  ],
  [2, (reader, form) => ({ operations: reader.list((each) => readOperation(each, form)) })],
  [3, (reader) => ({ sourceChain: readId(reader), importedInputs: reader.list(readInput) })],
  [
    4,
    (reader, form) => ({
      destinationChain: readId(reader),
      exportedOutputs: reader.list((each) => readOutput(each, form)),
    }),
  ],
])

function readTx(reader: Reader, source: Uint8Array, form: AddressForm): Json {
  const from = reader.offset
  const type = reader.u32()
  const body = bodies.get(type)
  if (body === undefined) throw new ParseError(`there is no transaction type ${type}`)
  const base = readBase(reader, (each) => readOutput(each, form))
  const unsignedTx = { ...base, ...body(reader, form) }
  const credentials = reader.list(readXCredential)
  const id = sha256(codecVersion, source.subarray(from, reader.offset))
  return { unsignedTx, credentials, id: idText(id.toString('hex')) }
}

function readVersion(reader: Reader): void {
  const version = reader.u16()
  if (version !== 0) throw new ParseError(`there is no codec version ${version}`)
}

/** avm.getTx's JSON of a signed transaction. Throws `ParseError`. */
export function xTxJson(bytes: Uint8Array, form: AddressForm): Json {
  const reader = createReader(bytes)
  readVersion(reader)
  const tx = readTx(reader, bytes, form)
  reader.end()
  return tx
}

const standardBlock = 20

/** avm.getBlock's JSON of a block. Throws `ParseError`. */
export function xBlockJson(bytes: Uint8Array, form: AddressForm): Json {
  const reader = createReader(bytes)
  readVersion(reader)
  const type = reader.u32()
  if (type !== standardBlock) throw new ParseError(`there is no block type ${type}`)
  const parentID = readId(reader)
  const height = reader.u64()
  const time = reader.u64()
  const merkleRoot = readId(reader)
  const txs = reader.list((each) => readTx(each, bytes, form))
  reader.end()
  const id = idText(sha256(bytes).toString('hex'))
  // The node writes null for the empty list of the first block, which it has not read but made.
  return { parentID, height, time, merkleRoot, txs: txs.length === 0 ? null : txs, id }
}
