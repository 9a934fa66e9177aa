import { signWarpAlone } from '../../primary/keys.ts'
import type { Hex } from '../../primary/ledger.ts'
import { bytesOf, hexOf, hexOfCb58 } from '../../primary/text.ts'
import { decodeUnsigned } from '../../../protocol/warp/warp-messages.ts'
import { unsignedWarp } from '../../primary/warp.ts'
import type { WarpChain } from '../../peers/chains.ts'
import { failure, type RpcAnswer, type RpcRequest } from '../rpc/jsonrpc.ts'

/** Answers a chain's `warp_…` methods with a node's BLS key; returns undefined for other methods. */
type WarpRpc = (request: RpcRequest) => Promise<RpcAnswer> | undefined

const hexText = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** Fails the call with the node's message. */
class WarpError extends Error {
  override readonly name = 'WarpError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Method = (id: Hex, shown: string) => Promise<string>

function methodsOf({ chainId, messages }: WarpChain, secretOf: () => Uint8Array): Record<string, Method> {
  async function messageOf(id: Hex, shown: string): Promise<Uint8Array> {
    const found = await messages.message(id)
    if (found !== undefined) return found
    throw new WarpError(-32000, `failed to get message ${shown} with error not found`)
  }
  const sign = (bytes: Uint8Array): string => hexText(signWarpAlone(bytes, secretOf()))
  return {
    warp_getMessage: async (id, shown) => hexText(await messageOf(id, shown)),
    async warp_getMessageSignature(id, shown) {
      const message = await messageOf(id, shown)
      // The message must name this chain as its source.
      if (hexOf(decodeUnsigned(message).sourceChainId) !== chainId) {
        throw new WarpError(
          -32000,
          `failed to get signature for message ${shown} with error wrong SourceChainID`,
        )
      }
      return sign(message)
    },
    async warp_getBlockSignature(id, shown) {
      if (!(await messages.hasBlock(id))) {
        const why = `failed to validate block message: 2: failed to get block ${shown}: not found`
        throw new WarpError(-32000, `failed to get signature for block ${shown} with error ${why}`)
      }
      return sign(unsignedWarp(chainId, { kind: 'Hash', hash: bytesOf(id) }))
    },
  }
}

function idOf({ params }: RpcRequest): readonly [Hex, string] {
  const [given] = Array.isArray(params) ? (params as readonly unknown[]) : []
  if (given === undefined || given === null) {
    throw new WarpError(-32602, 'missing value for required argument 0')
  }
  const id = typeof given === 'string' ? hexOfCb58(given) : undefined
  if (typeof given !== 'string' || id?.length !== 64) {
    throw new WarpError(-32602, "invalid argument 0: couldn't decode ID to bytes: invalid input checksum")
  }
  return [id, given]
}

/** The warp API of one node for one chain. `secretOf` returns the node's BLS secret key. */
export function warpRpcOf(chain: WarpChain, secretOf: () => Uint8Array): WarpRpc {
  const methods = methodsOf(chain, secretOf)

  async function answer(request: RpcRequest, method: Method): Promise<RpcAnswer> {
    try {
      const [id, shown] = idOf(request)
      return { jsonrpc: '2.0', id: request.id ?? null, result: await method(id, shown) }
    } catch (error) {
      if (error instanceof WarpError) return failure(request.id, error.code, error.message)
      throw error
    }
  }

  return (request) => {
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
    return method === undefined ? undefined : answer(request, method)
  }
}
