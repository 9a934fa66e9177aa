import { setTimeout as delay } from 'node:timers/promises'
import type { LedgerHost } from '../primary/host/host.ts'
import { signWarpAlone } from '../primary/keys.ts'
import { type BareHex, bytesOf, hexOf } from '../../protocol/ids/bare-hex.ts'
import type { Node, World } from '../primary/world.ts'
import { zeroId } from '../primary/state.ts'
import { type Behaviour, castOf, slowMs } from './behaviour.ts'
import { type Pace, realPace } from './connection.ts'
import { host, signAddress, type SignedAddress } from './identity.ts'
import { listen, type Listener } from './listener.ts'
import { type Members, membersOf } from './members.ts'
import {
  encodeCompressed,
  encodeMessage,
  encodeSignatureResponse,
  signatureHandler,
} from '../../protocol/peer/messages.ts'
import type { AppRequest } from '../../protocol/peer/messages_pb.ts'
import { examine, type Signable, throttled, unregistered } from './sign.ts'

/** A chain that validators know: its subnet, and the messages that they sign. */
export type PeerChain = {
  readonly subnetId: BareHex
  /** Undefined if the chain accepts requests but signs nothing. */
  readonly signable: Signable | undefined
}

/** A test's order for a validator. `delayMs` applies to slow ones. */
type BehaviourOrder = {
  readonly behaviour: Behaviour
  readonly delayMs?: number
}

/** The current state of a validator. */
type PeerState = {
  readonly nodeId: BareHex
  readonly behaviour: Behaviour
  /** Host and port; undefined if the address is unknown. */
  readonly address: string | undefined
  readonly isListening: boolean
}

/** The validators of the sample network as peers on loopback. */
export type Peers = {
  /** The sample node's peers, with host and port. */
  known(): ReadonlyMap<BareHex, string>
  states(): readonly PeerState[]
  /** Sets a node's behaviour; resets it if `order` is undefined. */
  behave(nodeId: BareHex, order: BehaviourOrder | undefined): Promise<void>
  /** The versions that nodes claim to run, of those that do not run this release. */
  readonly versions: Map<BareHex, string>
  close(): Promise<void>
}

type PeersOptions = {
  readonly world: World
  readonly ledger: LedgerHost
  /** By blockchain id. */
  readonly chains: ReadonlyMap<BareHex, PeerChain>
  readonly pace?: Pace
  /** Resolves when there is time for work that only speeds up the first connections. */
  readonly idle: Promise<unknown>
  /** Called if a port could not be opened during a block update. */
  readonly onFailure: (error: unknown) => void
}

type Seat = {
  readonly node: Node
  behaviour: Behaviour
  order: BehaviourOrder | undefined
  address: SignedAddress | undefined
  listener: Listener | undefined
  isKnown: boolean
}

/** Milliseconds between two precomputed signatures. */
const aheadMs = 30

/** Opens a port for every connected validator, and updates them as validators come and go. */
export async function openPeers(options: PeersOptions): Promise<Peers> {
  const { world, ledger, chains, idle, onFailure, pace = realPace } = options
  const seats = new Map<BareHex, Seat>(
    world.nodes.map((node) => [
      node.nodeId,
      {
        node,
        behaviour: 'honest',
        order: undefined,
        address: undefined,
        listener: undefined,
        isKnown: false,
      },
    ]),
  )
  let members = membersOf(ledger)
  let work: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  await settle()
  const stopHearing = ledger.onBlock((block) => {
    if (block.chain === 'P') settle().catch(onFailure)
  })
  void idle.then(signAhead, () => undefined)

  function exclusive(run: () => Promise<void>): Promise<void> {
    const result = work.then(run)
    work = result.catch(() => undefined)
    return result
  }

  /** Updates every node to the current ledger and orders. */
  function settle(): Promise<void> {
    return exclusive(async () => {
      if (ending.signal.aborted) return
      members = membersOf(ledger)
      const { isConnected } = members
      const cast = castOf(
        world,
        members.sets.map((set) => ({ members: set, isConnected })),
      )
      for (const [nodeId, seat] of seats) {
        seat.behaviour = seat.order?.behaviour ?? cast.get(nodeId) ?? 'honest'
        await seatOf(seat, members)
      }
    })
  }

  async function seatOf(seat: Seat, { subnets, isConnected }: Members): Promise<void> {
    const { nodeId } = seat.node
    const isThere = subnets.has(nodeId) && isConnected(nodeId) && seat.behaviour !== 'gone'
    const isOpen = isThere && seat.behaviour !== 'unreachable'
    if (isOpen && seat.listener === undefined) await open(seat)
    if (isThere && seat.address === undefined) {
      // The address of a formerly open port: nobody listens there.
      await open(seat)
    }
    if (!isOpen && seat.listener !== undefined) {
      const { listener } = seat
      seat.listener = undefined
      await listener.close()
    }
    seat.isKnown = isThere
  }

  async function open(seat: Seat): Promise<void> {
    const { node } = seat
    seat.listener = await listen(node, seat.address?.port ?? 0, () => ({
      networkId: ledger.networkId,
      pace,
      handshake: () => addressOf(seat).handshake(ledger.networkId, trackedBy(node.nodeId)),
      peerList,
      answer: (request) => answer(seat, request),
    }))
    const { port } = seat.listener
    if (seat.address?.port !== port) seat.address = signAddress(node, port)
  }

  function addressOf({ address, node, listener }: Seat): SignedAddress {
    return address ?? signAddress(node, listener?.port ?? 0)
  }

  function trackedBy(nodeId: BareHex): BareHex[] {
    return [...(members.subnets.get(nodeId) ?? [])].filter((id) => id !== zeroId)
  }

  function peerList(): Uint8Array {
    const claims = [...seats.values()].flatMap(({ isKnown, address, node }) =>
      isKnown && address !== undefined ? [address.claim(members.txIds.get(node.nodeId) ?? zeroId)] : [],
    )
    return encodeCompressed(encodeMessage({ case: 'peerList', value: { claims } }))
  }

  /**
   * Computes the slow signatures one by one in advance, so that the first connections do not wait for them.
   */
  async function signAhead(): Promise<void> {
    for (const seat of seats.values()) {
      if (seat.listener === undefined) continue
      try {
        await delay(aheadMs, undefined, { signal: ending.signal, ref: false })
      } catch {
        // Only the signal ends the wait early.
        return
      }
      addressOf(seat).prepare()
    }
  }

  async function answer(
    seat: Seat,
    { chainId, requestId, deadline, bytes }: AppRequest,
  ): Promise<Uint8Array | undefined> {
    // Even request ids belong to an old codec, which drops them; a deadline of zero has passed.
    if (requestId % 2 === 0 || deadline === 0n) return undefined
    const chain = chains.get(hexOf(chainId))
    const isFollowed =
      chain !== undefined &&
      (chain.subnetId === zeroId || members.subnets.get(seat.node.nodeId)?.has(chain.subnetId) === true)
    if (!isFollowed || seat.behaviour === 'silent') return undefined
    if (seat.behaviour === 'slow') await delay(seat.order?.delayMs ?? slowMs, undefined, { ref: false })
    const refuse = ({ code, text }: { code: number; text: string }): Uint8Array =>
      encodeMessage({ case: 'appError', value: { chainId, requestId, code, text } })
    if (seat.behaviour === 'refusing') return refuse(throttled)
    if (chain.signable === undefined || bytes[0] !== signatureHandler) return refuse(unregistered)
    const asked = await examine(chain.signable, bytes.subarray(1))
    if ('code' in asked) return refuse(asked)
    const signed = seat.behaviour === 'wrong' ? bytesOf(asked.id) : asked.bytes
    const signature = encodeSignatureResponse(signWarpAlone(signed, seat.node.blsSecret()))
    return encodeCompressed(
      encodeMessage({ case: 'appResponse', value: { chainId, requestId, bytes: signature } }),
    )
  }

  return {
    versions: new Map(),
    known: () =>
      new Map(
        [...seats].flatMap(([nodeId, { isKnown, address }]) =>
          isKnown && address !== undefined ? [[nodeId, `${host}:${address.port}`] as const] : [],
        ),
      ),
    states: () =>
      [...seats].map(([nodeId, { behaviour, address, isKnown, listener }]) => ({
        nodeId,
        behaviour,
        address: isKnown && address !== undefined ? `${host}:${address.port}` : undefined,
        isListening: listener !== undefined,
      })),
    async behave(nodeId, order) {
      const seat = seats.get(nodeId)
      if (seat === undefined) throw new RangeError(`no node ${nodeId}`)
      seat.order = order
      await settle()
    },
    async close() {
      stopHearing()
      ending.abort()
      await exclusive(async () => {
        for (const seat of seats.values()) {
          await seat.listener?.close()
          seat.listener = undefined
        }
      })
    },
  }
}
