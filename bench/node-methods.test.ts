import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeEndpoints, nodeIndexes, type NodeMethod, nodeMethods } from '../contract/node/node-methods.ts'
import { send } from '../sample/testing/ask.ts'
import { type RunningSample, startSample } from '../sample/testing/start.ts'

let sample: RunningSample
beforeAll(async () => {
  sample = await startSample()
})
afterAll(() => sample.stop())

/** Methods that release 1.14 also lacks at some endpoints, each verified with a real node. */
const LACKING: Readonly<Record<string, string>> = {
  'eth_feeConfig at C': 'only chains of the subnet EVM have their fees in a precompile',
  'eth_getActivePrecompilesAt at C': 'the C-Chain has no precompiles that can be configured',
  'eth_getActiveRulesAt at C': 'the C-Chain has no precompiles that can be configured',
  'eth_suggestPriceOptions at meridian': 'coreth has it, the subnet EVM has not',
}

/** The chains or indexes whose endpoints have a method. */
function placesOf({ endpoint }: NodeMethod): readonly string[] {
  if (endpoint === 'evm' || endpoint === 'chainAdmin') return ['C', 'meridian']
  if (endpoint === 'validators') return ['meridian']
  return endpoint === 'index' ? nodeIndexes : ['C']
}

const calls = nodeMethods
  .filter(({ isSocketOnly }) => !isSocketOnly)
  .flatMap((method) => placesOf(method).map((place) => ({ method, place })))

/** Whether an answer means an unknown method: EVM endpoints and the others use different forms. */
function isUnknown(status: number, text: string): boolean {
  if (status === 404) return true
  const { error } = JSON.parse(text) as { error?: { code: number; message: string } | null }
  return error?.code === -32601 || error?.message.startsWith("rpc: can't find ") === true
}

test('answers every method of the catalogue, except those that a real node lacks', async () => {
  const unknown: string[] = []
  for (const { method, place } of calls) {
    const { path, nodePath = path } = nodeEndpoints[method.endpoint]
    const { status, text } = await send(
      sample.url + nodePath.replace(/\{(?:chain|index)\}/, place),
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: method.nodeMethod ?? method.method,
        params: method.params,
      }),
    )
    if (isUnknown(status, text)) unknown.push(`${method.method} at ${place}`)
  }
  expect(unknown.toSorted()).toEqual(Object.keys(LACKING))
})
