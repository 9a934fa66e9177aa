import type { NodeLog } from './node.ts'

/** A cross-chain message that a log tells of; `peer` is 32 bytes in hex with 0x, or undefined if unknown. */
type CountedMessage = { readonly direction: 'sent' | 'delivered'; readonly peer: string | undefined }

const warp = '0x0200000000000000000000000000000000000005'
const messenger = '253b2784c75e510dd0ff1da844684a1ac0aa5fcf'

/** An unsigned message: its codec version, network, blockchain and payload, in hex. */
const unsigned = /^0000.{8}.{64}(?<length>.{8})(?<payload>.*)$/
/** A call of a contract to another chain. */
const addressed = /^00000000000100000014(?<sender>.{40})(?<length>.{8})(?<payload>.*)$/
/** The head of a TeleporterMessage: nonce, sender, destination, and five words more. */
const teleporter = /^0{62}20.{64}.{64}(?<destination>.{64}).{320}/

/** Whether a field of four bytes is the number of bytes of what follows it. */
const fits = (length: string | undefined, rest: string | undefined): boolean =>
  parseInt(length ?? '', 16) * 2 === (rest ?? '').length

/** The message of a log of an EVM chain (docs/metrics.md, Cross-chain messages), read from its text. */
export function messageOf({ address, topics, data }: NodeLog): CountedMessage | undefined {
  const [name, , third] = topics
  if (
    name === '0x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34' &&
    address === `0x${messenger}`
  )
    return topics.length === 4 ? { direction: 'delivered', peer: third } : undefined
  if (name !== '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d' || address !== warp)
    return undefined
  const size = BigInt.asUintN(64, BigInt(`0x${data.slice(66, 130) || '0'}`))
  const text = data.slice(130)
  if (size * 2n > BigInt(text.length)) return undefined
  const { length, payload } = unsigned.exec(text.slice(0, Number(size) * 2))?.groups ?? {}
  if (payload === undefined || !fits(length, payload)) return undefined
  return { direction: 'sent', peer: destinationOf(payload) }
}

function destinationOf(call: string): string | undefined {
  const { sender, length, payload } = addressed.exec(call)?.groups ?? {}
  if (payload === undefined || !fits(length, payload)) return undefined
  if (sender === messenger) {
    const destination = teleporter.exec(payload)?.groups?.['destination']
    return destination && `0x${destination}`
  }
  const isForP =
    payload.startsWith('000000000001') || (payload.startsWith('000000000003') && payload.length === 108)
  return isForP ? `0x${'0'.repeat(64)}` : undefined
}
