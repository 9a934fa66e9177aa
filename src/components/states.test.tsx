import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EmptyState, FailedState } from './states.tsx'

test('a sentence with a link in it is one paragraph, and paragraphs and buttons stay apart', () => {
  const sentence = renderToStaticMarkup(
    <EmptyState title="No such subnet">
      The <a href="/subnets">list of subnets</a> has every one.
    </EmptyState>,
  )
  expect(sentence).toContain('<p>The <a href="/subnets">list of subnets</a> has every one.</p>')
  const parts = renderToStaticMarkup(
    <EmptyState title="No rules yet">
      <p>A rule fires.</p>
      <button type="button">Add a rule</button>
    </EmptyState>,
  )
  expect(parts).toContain('<p>A rule fires.</p><button type="button">Add a rule</button>')
})

test('a failure of several lines keeps them, so that a caret stays below what it marks', () => {
  const markup = renderToStaticMarkup(
    <FailedState title="It failed." message={'Parser Error: near "selec"\n\nLINE 1: selec 1\n        ^'} />,
  )
  expect(markup).toMatch(/<p>Parser Error: near &quot;selec&quot;<\/p>/)
  expect(markup).toMatch(/<pre class="[^"]*">LINE 1: selec 1\n {8}\^<\/pre>/)
  expect(renderToStaticMarkup(<FailedState title="It failed." message="One line" />)).not.toContain('<pre')
  // Without a message nothing stands for it, and the rest is not a paragraph.
  expect(renderToStaticMarkup(<FailedState title="It failed." message="" />)).not.toContain('<p><p')
})

test.each([
  ['the list is not known yet', 'The list is not known yet.'],
  ['connection refused: does the node run?', 'Connection refused: does the node run?'],
  ['pageSize: must be at most 100', 'pageSize: must be at most 100'],
  ['eth_call is not passed on', 'eth_call is not passed on'],
  ['Too many rows.', 'Too many rows.'],
])('a failure says “%s” as “%s”', (message, shown) => {
  expect(renderToStaticMarkup(<FailedState title="It failed." message={message} />)).toContain(
    `<p>${shown}</p>`,
  )
})
