import { readP } from '../transactions.ts'
import type { Ledger } from '../ledger.ts'
import { type BareHex, bytesOf, hexOf } from '../../../protocol/ids/bare-hex.ts'
import { readL1Message } from '../warp.ts'

/**
 * The messages of a chain's validator manager to the P-Chain, in the order of the P-Chain blocks with times
 * from `from` to `to` (Unix seconds). `payload` is hex with 0x.
 */
export function messagesOfManager(
  ledger: Ledger,
  chainId: BareHex,
  from: number,
  to: number,
): { readonly time: number; readonly payload: `0x${string}` }[] {
  const found: { time: number; payload: `0x${string}` }[] = []
  for (let height = ledger.height('P'); height > 0; height -= 1) {
    const block = ledger.block('P', height)
    if (block === undefined || block.time < from) break
    if (block.time > to) continue
    for (const id of [...block.txIds].reverse()) {
      const { unsigned } = readP(ledger.tx('P', id)?.bytes ?? new Uint8Array())
      if (unsigned.type !== 'RegisterL1ValidatorTx' && unsigned.type !== 'SetL1ValidatorWeightTx') continue
      const said = readL1Message(bytesOf(unsigned.message))
      if (said.chainId !== chainId) continue
      found.push({ time: block.time, payload: `0x${hexOf(said.payload)}` })
    }
  }
  return found.reverse()
}
