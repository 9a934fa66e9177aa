import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Disclosure } from './disclosure.tsx'

test('is the browser’s own element, closed until it is opened, with what it folds in the document', () => {
  const closed = renderToStaticMarkup(
    <Disclosure look="note" summary="Topics and data">
      0x00
    </Disclosure>,
  )
  expect(closed).toMatch(
    /^<details class="[^"]*"><summary [^>]*>.*Topics and data.*<\/summary>0x00<\/details>$/,
  )
  expect(closed).toContain('#icon-chevron-right')
  const opened = renderToStaticMarkup(<Disclosure look="row" summary="Disk" open />)
  expect(opened).toMatch(/^<details open=""/)
})
