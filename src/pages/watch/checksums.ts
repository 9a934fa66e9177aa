import { bech32 } from '@scure/base'
import { checkedCb58, TextFormError } from '../../../protocol/ids/text.ts'
import { isEip55 } from '../shared/eip55.ts'
import type { WatchKind } from '../../lib/storage/watch-list.ts'

/** Whether a text in CB58 ends with the right checksum. */
function isCb58(text: string): boolean {
  try {
    return checkedCb58(text).length > 0
  } catch (error) {
    if (error instanceof TextFormError) return false
    throw error
  }
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
