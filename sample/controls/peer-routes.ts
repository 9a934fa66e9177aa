import { type Handler, readBody, type RouteGroup, sendJson } from '../kernel/front.ts'
import { behaviours } from '../peers/behaviour.ts'
import type { Peers } from '../peers/peers.ts'
import { hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import { nodeIdText } from '../../protocol/ids/text.ts'
import type { PeerOrder, PeerReport } from './types.ts'

const maxDelayMs = 60_000

async function report(peers: Promise<Peers>): Promise<PeerReport[]> {
  const states = (await peers).states()
  return states.map(({ nodeId, behaviour, address, isListening }) => ({
    nodeId: nodeIdText(nodeId),
    behaviour,
    ...(address === undefined ? {} : { address }),
    isListening,
  }))
}

function faultOf({ nodeId, behaviour, delayMs }: Partial<PeerOrder>): string | undefined {
  if (typeof nodeId !== 'string' || !nodeId.startsWith('NodeID-')) return 'nodeId must be a node id'
  if (behaviour !== undefined && !behaviours.includes(behaviour)) {
    return `behaviour is ${JSON.stringify(behaviour)}; it must be one of ${behaviours.join(', ')}`
  }
  if (delayMs === undefined) return undefined
  const isFine = Number.isInteger(delayMs) && delayMs >= 0 && delayMs <= maxDelayMs
  return isFine ? undefined : `delayMs must be a whole number up to ${maxDelayMs}`
}

/**
 * `/test/peers`: the validators' behaviour. GET lists all validators; POST sets or resets the behaviour of
 * one.
 */
export function peerRoutes(peers: Promise<Peers>): RouteGroup {
  async function behave(order: Partial<PeerOrder>): Promise<string | undefined> {
    const fault = faultOf(order)
    const nodeId = hexOfCb58(order.nodeId?.slice('NodeID-'.length) ?? '')
    if (fault !== undefined || nodeId === undefined) return fault ?? 'nodeId must be a node id'
    const { behaviour, delayMs } = order
    try {
      await (
        await peers
      ).behave(
        nodeId,
        behaviour === undefined ? undefined : { behaviour, ...(delayMs === undefined ? {} : { delayMs }) },
      )
      return undefined
    } catch (error) {
      if (error instanceof RangeError) return error.message
      throw error
    }
  }

  const handler: Handler = async (request, response) => {
    if (request.method === 'POST') {
      const body: unknown = JSON.parse((await readBody(request)).toString('utf8'))
      const fault = await behave(body as Partial<PeerOrder>)
      if (fault !== undefined) {
        sendJson(response, { message: fault }, 400)
        return
      }
    } else request.resume()
    sendJson(response, await report(peers))
  }
  return { routes: new Map([['/test/peers', handler]]) }
}
