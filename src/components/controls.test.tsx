import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Select } from './controls.tsx'

test('a selection has options and groups of them, and leaves out empty groups', () => {
  const text = renderToStaticMarkup(
    <Select
      value="b"
      options={[
        { id: '', label: 'None' },
        { group: 'First', options: ['a', { id: 'b', label: 'Bee' }] },
        { group: 'Second', options: [] },
      ]}
      onChange={() => undefined}
    />,
  )
  expect(text).toBe(
    '<select class="field "><option value="">None</option><optgroup label="First"><option value="a">a</option>' +
      '<option value="b" selected="">Bee</option></optgroup></select>',
  )
})
