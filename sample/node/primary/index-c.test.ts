import { decodeWrapper, unsignedWrapper } from '../../../protocol/primary/proposer.ts'
import { keccak256, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { cb58 } from '../../../protocol/ids/text.ts'
import { sha256Hex } from '../../../protocol/native/hashes.ts'
import { decode as bytesOf } from '../rpc/encodings.ts'
import recorded from '../fixtures/c-index.json' with { type: 'json' }
import { blockRlp, headerOf } from '../evm/block-rlp.ts'

describe('C blocks in the index', () => {
  test('have the bytes of a real node’s blocks', () => {
    for (const [index, block] of recorded.blocks.entries()) {
      const container = recorded.containers[index]
      const wrapped = decodeWrapper(new Uint8Array(bytesOf('hex', container?.bytes ?? '')))
      const extraData = Buffer.from(block.blockExtraData.slice(2), 'hex')
      expect(keccak256(toRlp(headerOf(block)))).toBe(block.hash)
      expect(Buffer.from(blockRlp(block, [], extraData)).equals(wrapped.block)).toBe(true)
      expect(cb58(sha256Hex(unsignedWrapper(wrapped)))).toBe(container?.id)
    }
  })
})
