import { expect, test } from 'vitest'
import { pages, titleOf } from './pages.ts'

test('a title has the names that its parameters are called by', () => {
  expect(titleOf('sql')).toBe('SQL')
  expect(titleOf('block', { blockId: '12,345', chainId: 'C-Chain' })).toBe('Block 12,345 · C-Chain')
  expect(titleOf('nft', { tokenId: '7', address: 'Prints', chainId: 'Harbor' })).toBe(
    'NFT 7 of Prints · Harbor',
  )
  // A fleet whose name is still to come.
  expect(titleOf('fleet', { fleetId: '' })).toBe('Fleet')
})

test.each(Object.entries(pages))(
  'the title of the page %s names parameters of its path',
  (_, { path, title }) => {
    const namesIn = (text: string): string[] => text.match(/:\w+/g) ?? []
    expect(namesIn(path)).toEqual(expect.arrayContaining(namesIn(title)))
  },
)
