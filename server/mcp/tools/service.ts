import { z } from 'zod'
import { getStorage, listChainStatus } from '../../../contract/evm/chains.ts'
import { errorBody } from '../../../contract/base/errors.ts'
import { getNetworkOverview } from '../../../contract/network/overview.ts'
import { networkInput, tool, utc } from './tool.ts'

const chainState = z.object({
  chain: z.string().describe('An EVM chain ID, or p-chain, x-chain or c-chain'),
  name: z.string(),
  state: z.string().describe('waiting, syncing, live or stopped'),
  reason: z.string().optional(),
  indexedBlock: z.string().optional(),
  nodeBlock: z.string().optional(),
  indexedTimestamp: z.int().optional(),
  secondsLeft: z.int().optional().describe('Until the head of the node, while it is syncing'),
})

type Standing = {
  readonly state: string
  readonly reason?: string | undefined
  readonly indexedTimestamp?: number | undefined
  readonly sync?: { readonly secondsLeft?: number | undefined } | undefined
}

const standing = ({ state, reason, indexedTimestamp, sync }: Standing) => ({
  state,
  ...(reason !== undefined && { reason }),
  ...(indexedTimestamp !== undefined && { indexedTimestamp }),
  ...(sync?.secondsLeft !== undefined && { secondsLeft: sync.secondsLeft }),
})

const heights = (indexed: string | undefined, node: string | undefined) => ({
  ...(indexed !== undefined && { indexedBlock: indexed }),
  ...(node !== undefined && { nodeBlock: node }),
})

export const serviceState = tool({
  name: 'service_state',
  title: 'State of the service',
  description:
    'Says whether this service is ready, which chains lag, wait or have stopped and why, and when its disk is full.',
  input: z.strictObject({ network: networkInput }),
  output: z.object({
    isReady: z.boolean(),
    problems: z.array(z.string()),
    chains: z.array(chainState),
    diskBytes: z.string(),
    diskFullTimestamp: z.int().optional(),
  }),
  async run({ network }, { ask, networkOf, page }) {
    const served = await networkOf(network)
    const [ready, { chains }, overview, storage] = await Promise.all([
      ask.path('/ready'),
      ask.operation(listChainStatus, {}),
      ask.found(getNetworkOverview, { params: { network: served } }),
      ask.operation(getStorage, {}),
    ])
    const isReady = ready.status === 200
    const problems = isReady ? [] : [errorBody.parse(ready.body).message].flat()
    const states = [
      ...chains.map((chain) => ({
        chain: chain.chainId,
        name: chain.chainName,
        ...standing(chain),
        ...heights(chain.indexedBlock, chain.nodeBlock),
      })),
      ...(overview?.chains ?? []).map((chain) => ({
        chain: chain.chainName,
        name: `${chain.chainName} of ${served}`,
        ...standing(chain),
        ...heights(chain.indexedHeight, chain.nodeHeight),
      })),
    ]
    return {
      text: [
        isReady ? 'The service is ready.' : `The service is not ready: ${problems.join('; ')}`,
        ...states.map(
          ({ name, state, reason, indexedBlock, nodeBlock }) =>
            `${name}: ${state}${reason === undefined ? '' : ` (${reason})`}, block ${indexedBlock ?? 'none'} of ${
              nodeBlock ?? 'unknown'
            }`,
        ),
        `The database uses ${storage.bytes} bytes${
          storage.fullTimestamp === undefined ? '' : `; the disk is full on ${utc(storage.fullTimestamp)}`
        }.`,
        page('chains'),
      ],
      data: {
        isReady,
        problems,
        chains: states,
        diskBytes: storage.bytes,
        ...(storage.fullTimestamp !== undefined && { diskFullTimestamp: storage.fullTimestamp }),
      },
    }
  },
})
