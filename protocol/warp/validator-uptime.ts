import { Reader, UnknownTypeError } from '../codec/reader.ts'

/** What an L1's validators confirm of another one of theirs: that it has been online for so many seconds. */
export type ValidatorUptime = { readonly validationId: Uint8Array; readonly seconds: bigint }

const uptimeType = 0

/** Reads subnet-evm's message about a validator's uptime, its codec version included. Throws CodecError. */
export function decodeValidatorUptime(bytes: Uint8Array): ValidatorUptime {
  const reader = new Reader(bytes)
  reader.version()
  const at = reader.offset
  const type = reader.u32()
  if (type !== uptimeType) throw new UnknownTypeError(`message type ${type} is unknown`, at)
  const uptime = { validationId: reader.id(), seconds: reader.u64() }
  reader.end()
  return uptime
}
