import { createHash } from 'node:crypto'
import { type Hex, decodeAbiParameters } from 'viem'
import type { EvmChain, Head } from './evm-chain.ts'
import { isHex, quantity } from '../kernel/hex.ts'
import { warpAddress } from './warp.ts'

/** Topic 0 of SendWarpMessage(address,bytes32,bytes). */
const sent = '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d'

/** The messages that a chain has sent to others, and its current blocks. */
export type WarpMessages = {
  /** The unsigned message with an id (32 bytes in hex without 0x) in the chain's current blocks. */
  message(id: string): Promise<Uint8Array | undefined>
  /** Whether a block with this hash (hex without 0x) is part of the chain. */
  hasBlock(hash: string): Promise<boolean>
}

type Log = {
  readonly data: Hex
}

/** Reads a chain's messages from its logs: on each call those of new blocks, after a reorganization all of them. */
export function createWarpMessages(starting: Promise<EvmChain>): WarpMessages {
  let known = new Map<string, Uint8Array>()
  let read: Head | undefined
  let reading: Promise<void> | undefined

  async function blockOf({ anvil }: EvmChain, at: Hex): Promise<{ number: Hex; hash: Hex } | undefined> {
    const method = at.length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
    return ((await anvil.rpc.call(method, at, false)) as { number: Hex; hash: Hex } | null) ?? undefined
  }

  async function stands(chain: EvmChain, number: Hex, hash: Hex): Promise<boolean> {
    if (Number(number) > chain.head.number) return false
    return (await blockOf(chain, number))?.hash === hash
  }

  async function readOn(chain: EvmChain): Promise<void> {
    for (;;) {
      const { head } = chain
      if (read?.hash === head.hash) return
      if (read !== undefined && !(await stands(chain, quantity(read.number), read.hash))) {
        known = new Map()
        read = undefined
      }
      const filter = {
        address: warpAddress,
        topics: [sent],
        fromBlock: quantity((read?.number ?? -1) + 1),
        toBlock: quantity(head.number),
      }
      const logs = (await chain.anvil.rpc.call('eth_getLogs', filter)) as readonly Log[]
      for (const { data } of logs) {
        const [bytes] = decodeAbiParameters([{ type: 'bytes' }], data)
        const message = new Uint8Array(Buffer.from(bytes.slice(2), 'hex'))
        known.set(createHash('sha256').update(message).digest('hex'), message)
      }
      // A reorganization may have happened while the logs were read: the next call notices it.
      read = head
    }
  }

  async function upToDate(): Promise<void> {
    const chain = await starting
    if (read?.hash === chain.head.hash) return
    reading ??= readOn(chain).finally(() => (reading = undefined))
    await reading
  }

  return {
    async message(id) {
      await upToDate()
      return known.get(id)
    },
    async hasBlock(hash) {
      const chain = await starting
      const found = await blockOf(chain, `0x${hash}`)
      return found !== undefined && isHex(found.number) && (await stands(chain, found.number, `0x${hash}`))
    },
  }
}
