import { signWarpAlone } from '../../primary/keys.ts'
import { type BareHex, bytesOf, hexOf, hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import { decodeUnsigned } from '../../../protocol/warp/warp-messages.ts'
import { unsignedWarp } from '../../primary/warp.ts'
import type { WarpChain } from '../../peers/chains.ts'
import { badParam, type LocalMethod, type LocalMethods, localMethods, MethodError } from './local.ts'

const hexText = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** A method of a message or a block, given by its id in cb58: as hex, and as it was given. */
function ofId(answer: (id: BareHex, shown: string) => Promise<string>): LocalMethod {
  return ([given]) => {
    if (given === undefined || given === null) {
      throw new MethodError('missing value for required argument 0', -32602)
    }
    const id = typeof given === 'string' ? hexOfCb58(given) : undefined
    if (typeof given === 'string' && id?.length === 64) return answer(id, given)
    throw badParam(0, "couldn't decode ID to bytes: invalid input checksum")
  }
}

/** The warp API of one node for one chain. `secretOf` returns the node's BLS secret key. */
export function warpRpcOf({ chainId, messages }: WarpChain, secretOf: () => Uint8Array): LocalMethods {
  async function messageOf(id: BareHex, shown: string): Promise<Uint8Array> {
    const found = await messages.message(id)
    if (found !== undefined) return found
    throw new MethodError(`failed to get message ${shown} with error not found`)
  }
  const sign = (bytes: Uint8Array): string => hexText(signWarpAlone(bytes, secretOf()))
  return localMethods({
    warp_getMessage: ofId(async (id, shown) => hexText(await messageOf(id, shown))),
    warp_getMessageSignature: ofId(async (id, shown) => {
      const message = await messageOf(id, shown)
      // The message must name this chain as its source.
      if (hexOf(decodeUnsigned(message).sourceChainId) === chainId) return sign(message)
      throw new MethodError(`failed to get signature for message ${shown} with error wrong SourceChainID`)
    }),
    warp_getBlockSignature: ofId(async (id, shown) => {
      if (await messages.hasBlock(id)) return sign(unsignedWarp(chainId, { kind: 'Hash', hash: bytesOf(id) }))
      const why = `failed to validate block message: 2: failed to get block ${shown}: not found`
      throw new MethodError(`failed to get signature for block ${shown} with error ${why}`)
    }),
  })
}
