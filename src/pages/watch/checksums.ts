import { base58, bech32 } from '@scure/base'
import { sha256 } from 'viem/utils'
import { isEip55 } from '../shared/eip55.ts'
import type { WatchKind } from '../../lib/storage/watch-list.ts'

const sumSize = 4

/** Whether a text in CB58 ends with the last four bytes of the SHA-256 of what is before them. */
function isCb58(text: string): boolean {
  let all: Uint8Array
  try {
    all = base58.decode(text)
  } catch {
    return false
  }
  if (all.length <= sumSize) return false
  const sum = sha256(all.slice(0, -sumSize), 'bytes').slice(-sumSize)
  return sum.every((byte, index) => byte === all[all.length - sumSize + index])
}

/** Whether the checksum in an id or address of a well-formed entry is right; the text is as it was pasted. */
export function hasChecksum(kind: WatchKind, text: string): boolean {
  switch (kind) {
    case 'address':
    case 'token':
      return isEip55(text)
    case 'validator':
      return isCb58(text.replace(/^NodeID-/, ''))
    case 'l1Validator':
      return isCb58(text)
    case 'wallet':
      return bech32.decodeUnsafe(text.replace(/^[PXC]-/, '')) !== undefined
  }
}
