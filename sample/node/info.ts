import { blsKeyOf } from '../primary/keys.ts'
import type { Ledger } from '../primary/ledger.ts'
import type { RouteGroup } from '../kernel/front.ts'
import type { NodeHook } from './rpc/hook.ts'
import { json2Handler, type Params } from './rpc/json2.ts'
import { ServiceError } from './rpc/service-errors.ts'
import type { Peers } from '../peers/peers.ts'
import { knownAcps, release } from '../peers/identity.ts'
import { textArg, textsArg, zeroId } from './rpc/args.ts'
import type { Json } from './rpc/go-json.ts'
import { fxIds } from '../../protocol/primary/node-json.ts'
import { cb58, nodeIdText } from '../../protocol/ids/text.ts'
import { sha256 } from '../../protocol/native/hashes.ts'
import { timeText } from './rpc/encodings.ts'

/** What `/ext/info` reports. */
type InfoFacts = {
  /** Blockchain ids in cb58 by every name of a chain. */
  readonly blockchains: ReadonlyMap<string, string>
  readonly ledger: Promise<Ledger>
  /** The validators that the node is connected to. */
  readonly peers: Promise<Pick<Peers, 'known' | 'versions'>>
  readonly hook?: NodeHook | undefined
  /** False while the history is being built. */
  isBootstrapped(): boolean
}

/** The node's own id: 20 bytes in hex. The node is not a validator. */
const sampleNodeId = sha256(Buffer.from('ridgeline sample node')).subarray(0, 20).toString('hex')

/** The node's BLS key with its proof of possession. */
function makeProof(): Json {
  const { publicKey, proof } = blsKeyOf('sample node')
  return { publicKey: `0x${publicKey}`, proofOfPossession: `0x${proof}` }
}

const releaseText = `${release.name}/${release.major}.${release.minor}.${release.patch}`

/** One peer at its listening address; its uptime is derived from its id. */
function peerOf(ledger: Ledger, nodeId: string, address: string, version = releaseText): Json {
  const now = timeText(Math.floor(Date.now() / 1000))
  const subnets = ledger
    .subnets()
    .filter(({ id }) =>
      [...ledger.currentStakers(id), ...ledger.l1Validators(id)].some((each) => each.nodeId === nodeId),
    )
  return {
    ip: address,
    publicIP: address,
    nodeID: nodeIdText(nodeId),
    version,
    lastSent: now,
    lastReceived: now,
    observedUptime: String(Math.floor(ledger.uptime(nodeId).share * 100)),
    trackedSubnets: [zeroId, ...subnets.map(({ id }) => id)].map(cb58),
    supportedACPs: knownAcps,
    objectedACPs: [],
    benched: [],
  }
}

function peersOf(
  ledger: Ledger,
  { known, versions }: Pick<Peers, 'known' | 'versions'>,
  wanted: readonly string[],
): readonly Json[] {
  const peers = [...known()].map(([nodeId, address]) => peerOf(ledger, nodeId, address, versions.get(nodeId)))
  return wanted.length === 0 ? peers : peers.filter(({ nodeID }) => wanted.includes(String(nodeID)))
}

/** info.upgrades: upgrades that the sample does not distinguish start together. */
function upgradesOf({ upgrades }: Ledger): Json {
  const apricot = timeText(upgrades.apricotPhase4)
  const banff = timeText(upgrades.banff)
  return {
    apricotPhase1Time: apricot,
    apricotPhase2Time: apricot,
    apricotPhase3Time: apricot,
    apricotPhase4Time: apricot,
    apricotPhase4MinPChainHeight: 0,
    apricotPhase5Time: apricot,
    apricotPhasePre6Time: apricot,
    apricotPhase6Time: apricot,
    apricotPhasePost6Time: apricot,
    banffTime: banff,
    cortinaTime: timeText(upgrades.cortina),
    cortinaXChainStopVertexID: cb58(upgrades.stopVertexId),
    durangoTime: timeText(upgrades.durango),
    etnaTime: timeText(upgrades.etna),
    fortunaTime: timeText(upgrades.etna),
    graniteTime: timeText(upgrades.granite),
    graniteEpochDuration: 30_000_000_000,
    heliconTime: timeText(upgrades.helicon),
  }
}

function acpsOf(ledger: Ledger): Json {
  const silent = {
    supportWeight: '0',
    supporters: [],
    objectWeight: '0',
    objectors: [],
    abstainWeight: String(ledger.totalStake(zeroId)),
  }
  return { acps: Object.fromEntries(knownAcps.map((number) => [String(number), silent])) }
}

const virtualMachines = {
  vms: {
    jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq: ['avm'],
    mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6: ['evm'],
    rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT: ['platform'],
    srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy: [],
  },
  fxs: { [fxIds.nft]: 'nftfx', [fxIds.property]: 'propertyfx', [fxIds.secp]: 'secp256k1fx' },
}

/** nAVAX. */
const txFees = {
  txFee: '1000000',
  createAssetTxFee: '10000000',
  createSubnetTxFee: '100000000',
  transformSubnetTxFee: '1000000000',
  createBlockchainTxFee: '100000000',
  addPrimaryNetworkValidatorFee: '0',
  addPrimaryNetworkDelegatorFee: '0',
  addSubnetValidatorFee: '1000000',
  addSubnetDelegatorFee: '1000000',
}

/** The node's `info` service: network 5, the sample's chains, the connected validators as peers. */
export function infoRoutes(facts: InfoFacts): RouteGroup {
  let proof: Json | undefined
  const methods = {
    acps: async () => acpsOf(await facts.ledger),
    getNetworkID: () => ({ networkID: '5' }),
    getNetworkName: () => ({ networkName: 'fuji' }),
    getNodeID() {
      proof ??= makeProof()
      return { nodeID: nodeIdText(sampleNodeId), nodePOP: proof }
    },
    getNodeIP: () => ({ ip: '127.0.0.1:9651' }),
    getNodeVersion: () => ({
      version: 'ridgeline-sample/0.1.0',
      databaseVersion: 'v1.4.5',
      rpcProtocolVersion: '46',
      gitCommit: '',
      vmVersions: { avm: releaseText, evm: 'anvil', platform: releaseText },
    }),
    getTxFee: () => txFees,
    getVMs: () => virtualMachines,
    getBlockchainID(params: Params) {
      const alias = textArg(params, 'alias')
      const blockchainID = facts.blockchains.get(alias)
      if (blockchainID === undefined) throw new ServiceError(`there is no ID with alias ${alias}`)
      return { blockchainID }
    },
    isBootstrapped(params: Params) {
      const chain = textArg(params, 'chain')
      if (chain === '') throw new ServiceError("argument 'chain' not given")
      const isKnown = facts.blockchains.has(chain) || [...facts.blockchains.values()].includes(chain)
      if (!isKnown) throw new ServiceError(`there is no chain with alias/ID '${chain}'`)
      return { isBootstrapped: facts.isBootstrapped() }
    },
    async peers(params: Params) {
      const wanted = textsArg(params, 'nodeIDs')
      const peers = peersOf(await facts.ledger, await facts.peers, wanted)
      return { numPeers: String(peers.length), peers }
    },
    upgrades: async () => upgradesOf(await facts.ledger),
    uptime: () => ({ rewardingStakePercentage: '100.0000', weightedAveragePercentage: '100.0000' }),
  }
  const handler = json2Handler({ name: 'info', methods, hook: { of: facts.hook, chain: 'info' } })
  return { routes: new Map([['/ext/info', handler]]) }
}
