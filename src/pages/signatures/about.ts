import { hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import type { WarpMessage } from '../../../contract/signatures/warp.ts'
import { chainAlias } from '../../lib/primary-chains.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText, shorten } from '../../lib/text.ts'
import { readBytes } from '../shared/readable.ts'

type Message = Pick<
  WarpMessage,
  'payloadKind' | 'l1Message' | 'payload' | 'sourceAddress' | 'sourceBlockchainId' | 'blockHash'
>

const kinds: Readonly<Record<string, string>> = {
  SubnetToL1Conversion: 'L1 conversion',
  RegisterL1Validator: 'Register a validator',
  L1ValidatorRegistration: 'Validator registration',
  L1ValidatorWeight: 'Weight change',
  Hash: 'Block hash',
  AddressedCall: 'Contract message',
}

/** The kind of a message in two or three words; an unknown one is shown as it is. */
export function kindOf({ l1Message, payloadKind }: Message): string {
  const id = l1Message?.type ?? payloadKind
  return kinds[id] ?? safeText(id, 40)
}

/** The contract through which most applications send messages between chains; it has this address on every chain. */
const teleporter = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf'
const word = 64

/** The most words of a payload in which the id of a chain is looked for. */
const maxWords = 32

/** The blockchain that a message of the Teleporter contract is for, in hex: the third word of its only argument. */
function teleporterDestination({ sourceAddress, payload = '' }: Message): string | undefined {
  if (sourceAddress?.toLowerCase() !== teleporter) return undefined
  const [offset, , , destination] = Array.from({ length: 4 }, (_, at) =>
    payload.slice(2 + at * word, 2 + (at + 1) * word),
  )
  return /^0*20$/.test(offset ?? '') && destination?.length === word ? destination.toLowerCase() : undefined
}

type Destination =
  | { readonly kind: 'pChain' }
  /** The chain with the contract that manages an L1's validators. */
  | { readonly kind: 'manager' }
  /** A chain by its id in hex. */
  | { readonly kind: 'chain'; readonly id: string }
  /** In no form that is known here; a chain of `words`, the 32-byte words of the payload in hex, may be meant. */
  | { readonly kind: 'any'; readonly words: readonly string[] }

/** Where a message goes. */
export function destinationOf(message: Message): Destination {
  if (message.l1Message)
    return chainAlias(message.sourceBlockchainId) === 'p-chain' ? { kind: 'manager' } : { kind: 'pChain' }
  const id = teleporterDestination(message)
  if (id !== undefined) return { kind: 'chain', id }
  const words = (message.payload ?? '').slice(2).toLowerCase().match(/.{64}/g) ?? []
  return { kind: 'any', words: words.slice(0, maxWords) }
}

/**
 * The destination as text; chains that the service knows have their names. Ids of blockchains are hashes: a payload that
 * holds one means that chain.
 */
export function destinationText(
  destination: Destination,
  chains: readonly { platformChainId?: string | undefined; chainName: string }[],
): string {
  const named = (ids: readonly string[]): string | undefined => {
    const known = chains.find(
      ({ platformChainId }) =>
        platformChainId !== undefined && ids.includes(hexOfCb58(platformChainId) ?? '-'),
    )
    return known && safeText(known.chainName, 40)
  }
  switch (destination.kind) {
    case 'pChain':
      return 'P-Chain'
    case 'manager':
      return 'L1’s manager'
    case 'any':
      return named(destination.words) ?? '–'
    case 'chain':
      return named([destination.id]) ?? `0x${shorten(destination.id, 8, 4)}`
  }
}

/** The longest string in a payload as Solidity encodes it: a word with its length in bytes, then these. */
function encodedText(hex: string): string | undefined {
  const digits = hex.slice(2)
  const texts: string[] = []
  for (let at = 0; at + word <= digits.length; at += word) {
    const length = Number.parseInt(digits.slice(at, at + word), 16)
    const value = digits.slice(at + word, at + word + length * 2)
    if (length < minLength || value.length !== length * 2) continue
    const read = readBytes(`0x${value}`)
    if (read.kind === 'text') texts.push(read.text)
  }
  return texts.toSorted((left, right) => right.length - left.length)[0]
}

/** Shorter ones may be chance. */
const minLength = 4

/** What a message says, in one line. */
export function contentOf({ l1Message, payload, sourceAddress, blockHash }: Message): string {
  if (l1Message) {
    const { validationId, nodeId, weight, registered, conversionId } = l1Message
    const about =
      nodeId !== undefined
        ? shorten(nodeId, 13, 4)
        : validationId !== undefined
          ? `validation ${shorten(validationId, 8, 4)}`
          : conversionId !== undefined
            ? `conversion ${shorten(conversionId, 8, 4)}`
            : ''
    const state =
      registered === undefined ? '' : registered ? ': registered' : ': removed, or can never be registered'
    return `${about}${state}${weight === undefined ? '' : `, weight ${formatInteger(weight)}`}`
  }
  if (blockHash !== undefined) return shorten(blockHash, 10, 6)
  const read = readBytes(payload)
  const from = sourceAddress === undefined ? '' : ` from ${shorten(sourceAddress, 6, 4)}`
  if (read.kind === 'text') return `“${safeText(read.text, 80)}”`
  if (read.kind === 'empty') return `no payload${from}`
  const within = encodedText(read.hex)
  const size = `${formatInteger((read.hex.length - 2) / 2)} bytes`
  return within === undefined ? `${size}${from}` : `“${safeText(within, 80)}”`
}

/** What whoever holds a signed message does with it: which chain takes it, and by which call. */
export function nextStep(message: Message | undefined): string {
  const inAccessList =
    'as the access-list entry of 0x0200000000000000000000000000000000000005 (the signed bytes, padded to whole words)'
  switch (message?.l1Message?.type) {
    case 'SubnetToL1Conversion':
      return `Call initializeValidatorSet of the L1’s validator manager, with the message ${inAccessList}.`
    case 'L1ValidatorRegistration':
      return message.l1Message.registered === false
        ? `Call completeValidatorRemoval of the L1’s validator manager, with the message ${inAccessList}.`
        : `Call completeValidatorRegistration of the L1’s validator manager, with the message ${inAccessList}.`
    case 'L1ValidatorWeight':
      return message !== undefined && chainAlias(message.sourceBlockchainId) === 'p-chain'
        ? `Call completeValidatorWeightUpdate of the L1’s validator manager, with the message ${inAccessList}.`
        : 'Put it into a SetL1ValidatorWeightTx and issue that on the P-Chain.'
    case 'RegisterL1Validator':
      return 'Put it into a RegisterL1ValidatorTx, with the validator’s proof of possession and a first balance, and issue that on the P-Chain.'
    default:
      return `Send it with a transaction on the destination chain, ${inAccessList}; for Teleporter the call is receiveCrossChainMessage.`
  }
}
