import { afterEach, describe, expect, test } from 'vitest'
import { NodeClient } from '../node/client.ts'
import {
  NodeError,
  startScriptedNode,
  type ScriptedNode,
  type Script,
} from '../node/testing/scripted-node.ts'
import { nativeBls } from './bls.ts'
import recorded from './fixtures/recorded-warp.json' with { type: 'json' }
import { ValidatorSets } from './validator-set.ts'

const subnet = '11111111111111111111111111111111LpoYY'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function open(
  script: Script,
): Promise<{ sets: ValidatorSets; node: ScriptedNode; pass(ms: number): void }> {
  const node = await startScriptedNode(script)
  let time = 0
  const client = new NodeClient({ url: node.url, chainName: 'Network', timeout: 5_000, keepFor: 0 })
  closing.push(node.close, () => client.close())
  const bls = await nativeBls()
  const sets = new ValidatorSets({
    node: client,
    uncompress: async (keys) => keys.map((key) => bls.uncompress(key)),
    now: () => time,
  })
  return { sets, node, pass: (ms) => (time += ms) }
}

const answers =
  (validators: unknown, height: unknown = { height: '12' }): Script =>
  ({ method }) =>
    method === 'platform.getValidatorsAt' ? validators : height

describe('ValidatorSets', () => {
  test('puts recorded validators in the order that the chain accepted', async () => {
    const { sets, node } = await open(answers(recorded.validators))
    const set = await sets.at(subnet, 0)
    expect(set.height).toBe(12n)
    expect(
      set.signers.map(({ index, publicKey, weight, nodeIds }) => ({
        index,
        pk: Buffer.from(publicKey).toString('hex'),
        weight: String(weight),
        nodeIDs: nodeIds,
      })),
    ).toEqual(recorded.canonical.map((signer, index) => ({ index, ...signer })))
    expect(set.totalWeight).toBe(recorded.canonical.reduce((sum, { weight }) => sum + BigInt(weight), 0n))
    expect(node.asked.find(({ method }) => method === 'platform.getValidatorsAt')?.params).toEqual([
      { height: 'proposed', subnetID: subnet },
    ])
  })

  test('caches a set for a moment, one of a fixed height for longer, and failures not at all', async () => {
    let fails = true
    const { sets, node, pass } = await open((asked) => {
      if (fails) throw new NodeError(-32000, 'no such height')
      return answers(recorded.validators)(asked, undefined as never, undefined as never)
    })
    await expect(sets.at(subnet, 9)).rejects.toMatchObject({ reason: 'no such height', code: -32000 })
    fails = false
    const count = (): number => node.asked.filter(({ method }) => method.endsWith('ValidatorsAt')).length
    expect((await sets.at(subnet, 9)).height).toBe(9n)
    await sets.at(subnet, 0)
    expect(count()).toBe(3)
    pass(1_999)
    await Promise.all([sets.at(subnet, 9), sets.at(subnet, 0)])
    expect(count()).toBe(3)
    pass(1)
    await Promise.all([sets.at(subnet, 9), sets.at(subnet, 0)])
    expect(count()).toBe(4)
    expect(node.asked.at(-1)?.method).not.toContain('Aggregate')
  })

  test('is read once for all concurrent callers while the node is slow', async () => {
    const held: (() => void)[] = []
    const { sets, node, pass } = await open(({ method, id }, response) => {
      if (method !== 'platform.getValidatorsAt') return { height: '12' }
      held.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: recorded.validators })))
      return undefined
    })
    const first = sets.at(subnet, 0)
    await expect.poll(() => held.length).toBe(1)
    pass(4_000)
    const second = sets.at(subnet, 0)
    held[0]?.()
    expect(await second).toBe(await first)
    expect(node.asked.filter(({ method }) => method === 'platform.getValidatorsAt')).toHaveLength(1)
  })

  test('of the proposed height stays in use while the node takes too long for a new one', async () => {
    let script: Script = answers(recorded.validators)
    const { sets, pass } = await open((...asked) => script(...asked))
    const known = await sets.at(subnet, 0)
    // Takes the request and never answers.
    script = () => undefined
    pass(2_000)
    expect(await sets.at(subnet, 0)).toBe(known)
  })

  test('of the proposed height stays in use for a minute while the node cannot be reached', async () => {
    let script: Script = answers(recorded.validators)
    const { sets, pass } = await open((...asked) => script(...asked))
    const known = await sets.at(subnet, 0)
    script = (_asked, response) => void response.writeHead(503).end()
    pass(59_999)
    expect(await sets.at(subnet, 0)).toBe(known)
    pass(1)
    await expect(sets.at(subnet, 0)).rejects.toMatchObject({ kind: 'network' })
  })

  test('does not stay in use when the node answers something else than validators', async () => {
    let script: Script = answers(recorded.validators)
    const { sets, pass } = await open((...asked) => script(...asked))
    await sets.at(subnet, 0)
    script = answers([])
    pass(2_000)
    await expect(sets.at(subnet, 0)).rejects.toMatchObject({ kind: 'malformed' })
  })

  test('has the accepted height of a node that reports no proposed one', async () => {
    const { sets } = await open(({ method }) => {
      if (method === 'platform.getProposedHeight') throw new NodeError(-32000, "can't find method")
      return method === 'platform.getHeight' ? { height: '4' } : {}
    })
    expect(await sets.at(subnet, 0)).toEqual({
      subnetId: subnet,
      height: 4n,
      signers: [],
      totalWeight: 0n,
      keylessWeight: 0n,
    })
  })

  test.each([
    ['no object', []],
    ['a weight that is none', { 'NodeID-1': { publicKey: null, weight: '-1' } }],
    ['a weight past 64 bits', { 'NodeID-1': { publicKey: null, weight: '18446744073709551616' } }],
    ['a short key', { 'NodeID-1': { publicKey: '0x00', weight: '1' } }],
    ['a key off the curve', { 'NodeID-1': { publicKey: `0x${'ff'.repeat(48)}`, weight: '1' } }],
    ['nothing', { 'NodeID-1': null }],
  ])('refuses an answer with %s', async (_, validators) => {
    const { sets } = await open(answers(validators))
    await expect(sets.at(subnet, 0)).rejects.toMatchObject({ kind: 'malformed' })
  })
})
