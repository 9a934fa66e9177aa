import { isValidElement, type ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../api/errors.ts'
import { queryClient } from '../../api/query-client.ts'
import { FailedState } from '../../components/states.tsx'
import { Failed } from './failed.tsx'

type State = ReactElement<Parameters<typeof FailedState>[0]>

/** The state that a failure is shown as. */
function stateOf(props: Parameters<typeof Failed>[0]): State['props'] {
  const element = Failed(props)
  if (!isValidElement(element) || element.type !== FailedState) throw new Error('No failed state')
  return (element as State).props
}

const away = new ApiError('network', 'The service could not be reached.')

test('“Try again” asks for the part itself and for the other failed parts', () => {
  const refetchQueries = vi.spyOn(queryClient, 'refetchQueries').mockResolvedValue()
  const refetch = vi.fn()
  stateOf({ title: 'It failed.', query: { error: away, refetch } }).onRetry?.()
  expect(refetch).toHaveBeenCalledOnce()
  expect(refetchQueries).toHaveBeenCalledOnce()
})

test('only a part that loads by itself promises to load again', () => {
  const promised = /loads again when the service is back/
  expect(stateOf({ title: 'It failed.', error: away, onRetry: () => undefined }).message).toMatch(promised)
  expect(stateOf({ title: 'The statement failed.', error: away }).message).not.toMatch(promised)
})
