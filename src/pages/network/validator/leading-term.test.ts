import { expect, test } from 'vitest'
import { primaryNetworkId } from '../../../../contract/primary/chains.ts'
import { leadingTerm } from './leading-term.ts'

const term = (
  txHash: string,
  validationStatus: string,
  startTimestamp: number,
  subnetId = primaryNetworkId,
) => ({
  txHash,
  nodeId: 'NodeID-x',
  subnetId,
  amountStaked: '1',
  startTimestamp,
  endTimestamp: startTimestamp + 1,
  validationStatus,
})

test('the main term of a node is the active one of the Primary Network, else the next, else the last', () => {
  const subnet = term('subnet', 'active', 900, 'other')
  const ended = [term('first', 'completed', 1), term('second', 'completed', 2)]
  const pending = term('pending', 'pending', 800)
  const running = term('running', 'active', 3)
  expect(leadingTerm([subnet, ...ended, pending, running])?.txHash).toBe('running')
  expect(leadingTerm([subnet, ...ended, pending])?.txHash).toBe('pending')
  expect(leadingTerm([subnet, ...ended])?.txHash).toBe('second')
  expect(leadingTerm([subnet])).toBeUndefined()
})
