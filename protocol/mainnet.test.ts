import { expect, test } from 'vitest'
import mainnet from './fixtures/mainnet-p-blocks.json' with { type: 'json' }
import { cb58 } from './ids/text.ts'
import { pBlockJson } from './primary/node-json.ts'
import { decodePBlock, type PBlock } from './primary/p-blocks.ts'
import { decodeProposerWrapper } from './primary/proposer.ts'

/** The block in a container of a node's index: since Apricot Phase 4 (height 805,732), its proposer's wrapper is around it. */
function blockIn(bytes: Uint8Array, height: number): { container: string; block: PBlock } {
  if (height < 805_732) {
    const block = decodePBlock(bytes)
    return { container: cb58(block.id), block }
  }
  const wrapper = decodeProposerWrapper(bytes)
  return { container: cb58(wrapper.id), block: decodePBlock(wrapper.block) }
}

test.each(mainnet.blocks.map((each) => [each.height, each] as const))(
  'block %i of mainnet’s P-Chain reads as another program read it',
  (height, expected) => {
    const { container, block } = blockIn(Buffer.from(expected.bytes, 'base64'), height)
    expect(container).toBe(expected.container)
    expect(`*block.${block.type}`).toBe(expected.type)
    expect([block.height, cb58(block.id), cb58(block.parentId)]).toEqual([
      height,
      expected.id,
      expected.parent,
    ])
    const { tx, txs = tx === undefined ? [] : [tx] } = pBlockJson(block.bytes, { alias: 'P', prefix: 'avax' })
    const shown: unknown = JSON.parse(
      JSON.stringify(txs, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    )
    expect(shown).toEqual(expected.transactions)
  },
)
