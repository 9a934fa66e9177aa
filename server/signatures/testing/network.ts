import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeError, startScriptedNode, type ScriptedNode } from '../../node/testing/scripted-node.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { SignatureNetworkOptions } from '../network.ts'
import { startValidator, type TestValidator, type ValidatorOptions } from './validator.ts'

/** A validator of the test network, by what it is to be. */
export type Cast = ValidatorOptions & { readonly weight?: bigint }

/** Validators on loopback, and the node that tells of them. */
export type TestNetwork = {
  readonly node: ScriptedNode
  readonly validators: readonly TestValidator[]
  /** What `createSignatureNetwork` takes. */
  readonly options: SignatureNetworkOptions
  /** Listed beside the validators, such as one without a key. */
  readonly extra: Record<string, { publicKey: string | null; weight: string }>
  /** Validators of whose address the node does not tell. */
  readonly hidden: Set<string>
  close(): Promise<void>
}

export const testNetworkId = 1_337
const silent = { debug: () => undefined, warn: () => undefined }

/** Settings that make a round quick to fail; fields may be replaced. */
const quickSettings = {
  peers: [],
  validatorNodes: [],
  deadlineSeconds: 5,
  answerSeconds: 0.3,
  maxRounds: 32,
  maxPeers: 2_000,
  cacheSeconds: 600,
}

/** Starts validators and a node that answers what is asked of sets and addresses. */
export async function startTestNetwork(
  cast: readonly Cast[],
  settings: Partial<SignatureNetworkOptions['settings']> = {},
): Promise<TestNetwork> {
  const validators = await Promise.all(
    cast.map((options) => startValidator({ networkId: testNetworkId, ...options })),
  )
  const extra: TestNetwork['extra'] = {}
  const hidden = new Set<string>()
  const node = await startScriptedNode(({ method }) => {
    switch (method) {
      case 'platform.getValidatorsAt':
        return {
          ...Object.fromEntries(
            validators.map(({ nodeId, publicKey }, index) => [
              nodeId,
              { publicKey: hexText(publicKey), weight: String(cast[index]?.weight ?? 100n) },
            ]),
          ),
          ...extra,
        }
      case 'platform.getProposedHeight':
        return { height: '7' }
      case 'info.getNodeID':
        return { nodeID: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg' }
      case 'info.getNodeIP':
        return { ip: '127.0.0.1:9' }
      case 'info.peers':
        return {
          peers: validators
            .filter(({ nodeId }) => !hidden.has(nodeId))
            .map(({ nodeId, port }) => ({
              nodeID: nodeId,
              publicIP: `127.0.0.1:${port}`,
              ip: '127.0.0.1:1',
            })),
        }
      default:
        throw new NodeError(-32601, `the method ${method} does not exist`)
    }
  })
  const home = await mkdtemp(join(tmpdir(), 'ridgeline-peers-'))
  return {
    node,
    validators,
    extra,
    hidden,
    options: {
      network: { name: 'Test network', networkId: testNetworkId, nodeUrl: node.url, requestSeconds: 5 },
      settings: { ...quickSettings, ...settings },
      home,
      logger: silent,
      clock: () => Math.floor(Date.now() / 1_000),
    },
    async close() {
      await Promise.all(validators.map((validator) => validator.stop()))
      await node.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
