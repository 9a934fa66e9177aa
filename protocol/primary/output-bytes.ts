import { pack, sized, u32, u64 } from '../codec/pack.ts'
import { type AssetOutput, type TransferOutput, typeIds } from './outputs.ts'

/** The bytes of an output that holds an amount, with its asset and without the codec's version. */
export function encodeTransferOutput({ assetId, output }: AssetOutput<TransferOutput>): Uint8Array {
  const { amount, stakeableLocktime, owner } = output
  return pack(
    sized(assetId, 32),
    ...(stakeableLocktime === 0n ? [] : [u32(typeIds.stakeableLockOut), u64(stakeableLocktime)]),
    u32(typeIds.transferOutput),
    u64(amount),
    u64(owner.locktime),
    u32(owner.threshold),
    u32(owner.addresses.length),
    ...owner.addresses.map((address) => sized(address, 20)),
  )
}
