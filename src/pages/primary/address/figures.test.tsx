import { QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { unlocksQuery } from '../../../api/primary/address.ts'
import { HeadFigures } from './figures.tsx'

const owners = [`fuji1${'q'.repeat(38)}`]

/** The text of the figure "Next becomes free" when the unlocks' query is as `settle` leaves it. */
function nextFree(settle: (client: QueryClient, key: QueryKey) => void): string {
  const client = new QueryClient({
    defaultOptions: { queries: { retryOnMount: false, staleTime: Infinity } },
  })
  settle(client, unlocksQuery('fuji', owners).queryKey)
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <HeadFigures network="fuji" owners={owners} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const figure = markup.slice(markup.indexOf('Next becomes free'))
  return figure.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('the next unlock is unknown if the unlocks failed to load', () => {
  const failed = nextFree((client, queryKey) => {
    const error = new Error('the service answered 503')
    client.getQueryCache().build(client, { queryKey }).setState({ status: 'error', error })
  })
  expect(failed).toContain('not known could not be loaded')
  expect(failed).not.toContain('–')
})

test('there is no date if nothing is locked', () => {
  const none = nextFree((client, key) => client.setQueryData(key, []))
  expect(none).toContain('nothing locked')
  expect(none).not.toContain('not known')
})
