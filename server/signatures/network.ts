import { mkdir } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { NetworkConfig, SignaturesConfig } from '../kernel/settings/config.ts'
import type { NodeClient } from '../node/client.ts'
import { createBlsThread } from './bls-thread.ts'
import { collect } from './collect.ts'
import { networkNode } from '../node/network-node.ts'
import { AddressBook } from './peer/address-book.ts'
import { clientVersionOf, makeIntroduction } from './peer/handshake.ts'
import { loadIdentity } from './peer/identity.ts'
import { Peers, type Self } from './peer/peers.ts'
import type { SignatureNetwork } from './round.ts'
import { RpcSource } from './rpc-source.ts'
import { ValidatorSets } from './validator-set.ts'

export type SignatureNetworkOptions = {
  readonly network: Pick<NetworkConfig, 'name' | 'networkId' | 'nodeUrl' | 'requestSeconds'>
  readonly settings: SignaturesConfig
  /** The folder of the certificate, which is created at the first connection. */
  readonly home: string
  readonly logger: Pick<FastifyBaseLogger, 'debug' | 'warn'>
  /** Unix seconds. */
  readonly clock: () => number
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number
}

/**
 * The validators of one network as signers. The node supplies validator sets and addresses, validators are connected to
 * as peers, and BLS arithmetic has a thread of its own. Everything is opened when it is first needed.
 */
export function createSignatureNetwork(options: SignatureNetworkOptions): SignatureNetwork {
  const { network, settings, home, logger, clock, now = () => performance.now() } = options
  const bls = createBlsThread()
  const nodeAt = (path: string): NodeClient => networkNode(network, path, now)
  const [platform, info] = [nodeAt('/ext/bc/P'), nodeAt('/ext/info')]
  const sets = new ValidatorSets({ node: platform, uncompress: (keys) => bls.uncompress(keys), now })
  const addresses = new AddressBook({ node: info, configured: settings.peers, logger, clock, now })
  const rpc = new RpcSource(settings)
  const client = settings.clientVersion === undefined ? undefined : clientVersionOf(settings.clientVersion)
  let self: Promise<Self> | undefined

  async function introduce(): Promise<Self> {
    await mkdir(home, { recursive: true })
    const identity = await loadIdentity(home)
    const introduction = await makeIntroduction({
      networkId: network.networkId,
      identity,
      proof: (secret, bytes) => bls.proof(secret, bytes),
      now: clock(),
      ...(client && { client }),
    })
    return { identity, introduction }
  }

  function currentSelf(): Promise<Self> {
    if (self) return self
    const made = introduce()
    self = made
    made.catch(() => {
      if (self === made) self = undefined
    })
    return made
  }

  const peers = new Peers({ addresses, self: currentSelf, maxPeers: settings.maxPeers, logger, clock, now })
  return {
    canonicalSet: (subnetId, height) => sets.at(subnetId, height),
    isConnected: (nodeId) => peers.isConnected(nodeId),
    collect: (request) => collect({ peers, rpc, bls, settings, logger, now }, request),
    async close() {
      peers.close()
      rpc.close()
      platform.close()
      info.close()
      await bls.close()
    },
  }
}
