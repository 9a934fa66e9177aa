import { Reader, UnknownTypeError } from '../codec/reader.ts'

/** A message of an L1's validators that confirms how long one of them has been online, in seconds. */
export type ValidatorUptime = { readonly validationId: Uint8Array; readonly seconds: bigint }

const uptimeType = 0

/** Decodes subnet-evm's validator uptime message with its codec version. Throws CodecError. */
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
