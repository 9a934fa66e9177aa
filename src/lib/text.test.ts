import { expect, test } from 'vitest'
import { guessSearch } from './search-guess.ts'
import { inSentence, methodLabel, plural, safeText, shorten } from './text.ts'

test('long values keep eight characters and six', () => {
  expect(shorten('0x71C7656EC7ab88b098defB751B7401B5f6d8976F')).toBe('0x71C7656E…d8976F')
  expect(shorten('2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5')).toBe('2q9e4r6M…55x1Q5')
  expect(shorten('0x1234')).toBe('0x1234')
})

test('the text of strangers loses control and direction characters and its excess', () => {
  expect(safeText('US\u202eD\u0000C\u200b ')).toBe('USDC')
  expect(safeText('x'.repeat(100), 10)).toBe(`${'x'.repeat(10)}…`)
  expect(safeText('😀😀😀', 2)).toBe('😀😀…')
})

test('methods are named by their signature, else by their selector', () => {
  expect(methodLabel('transfer(address,uint256)', '0xa9059cbb')).toBe('transfer')
  expect(methodLabel(undefined, '0xa9059cbb')).toBe('0xa9059cbb')
  expect(methodLabel(undefined, '0x')).toBe('')
})

test('a label in a sentence begins small, unless it is an abbreviation', () => {
  expect(['Token URI', 'Picture', 'L1 validators', 'NFTs', ''].map(inSentence)).toEqual([
    'token URI',
    'picture',
    'L1 validators',
    'NFTs',
    '',
  ])
})

test('one is singular', () => {
  expect([plural(0, 'block'), plural(1, 'block'), plural('2', 'address', 'addresses')]).toEqual([
    'blocks',
    'block',
    'addresses',
  ])
})

test('the form of a text says what it can be', () => {
  expect(guessSearch(' 12,345 ')).toEqual([{ kind: 'block', id: '12345', title: 'Block 12345' }])
  expect(guessSearch(`0x${'a'.repeat(40)}`).map((guess) => guess.kind)).toEqual(['address'])
  expect(guessSearch(`0x${'a'.repeat(64)}`).map((guess) => guess.kind)).toEqual(['transaction', 'block'])
  expect(guessSearch('Meridian')).toEqual([])
})

test('an id of the primary network is told by its form, a bare one may be many things', () => {
  expect(guessSearch('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg').map((guess) => guess.kind)).toEqual(['node'])
  for (const address of [
    'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut',
    'P-avax1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut',
  ])
    expect(guessSearch(address).map((guess) => guess.kind)).toEqual(['wallet'])
  const kinds = guessSearch('2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm').map((guess) => guess.kind)
  expect(kinds).toContain('primaryTransaction')
  expect(kinds).toContain('vertex')
  expect(guessSearch('Meridian is a long name that is not an ID at all 0')).toEqual([])
})
