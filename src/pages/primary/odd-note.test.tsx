import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OddNote } from './odd-note.tsx'

test('names everything that is odd in a sentence, an unknown kind by its name', () => {
  const history = [
    { kind: 'spentAgain' as const, detail: 'input 0: spent in block 1' },
    { kind: 'newKind' as never, detail: 'see there' },
  ]
  expect(renderToStaticMarkup(<OddNote of="transaction" history={history} />)).toContain(
    'The network accepted this transaction although today’s rules would refuse it: it spends a UTXO that was spent before (input 0: spent in block 1); it newKind (see there). It is counted',
  )
})

test('is nothing for ordinary history', () => {
  expect(renderToStaticMarkup(<OddNote of="block" history={undefined} />)).toBe('')
})
