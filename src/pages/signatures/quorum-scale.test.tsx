import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QuorumScale } from './quorum-scale.tsx'

const shared = { quorum: '67', buffer: '0', onChange: () => undefined, errors: {}, disabled: false }
const set = {
  subnetId: '11111111111111111111111111111111LpoYY',
  pChainHeight: '12',
  totalWeight: '100',
  keylessWeight: '0',
  signers: [],
}

test('the place of what is known of the signers is there before they are', () => {
  const place = 'class="min-h-9"'
  expect(renderToStaticMarkup(<QuorumScale {...shared} set={undefined} isLoading={false} />)).not.toContain(
    place,
  )
  expect(renderToStaticMarkup(<QuorumScale {...shared} set={undefined} isLoading />)).toContain(place)
  const known = renderToStaticMarkup(<QuorumScale {...shared} set={set} isLoading={false} />)
  expect(known).toContain(place)
  expect(known).toContain('0 signers')
})
