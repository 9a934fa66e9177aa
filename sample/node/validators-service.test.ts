import { describe, expect, test } from 'vitest'
import type { L1Validator, Ledger, Staker } from '../primary/ledger.ts'
import { hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import { recordedCalls, repeat } from '../testing/recorded-answers.ts'
import { startFront } from '../kernel/front.ts'
import { json2Handler } from './rpc/json2.ts'
import { validatorMethods } from './validators-service.ts'

const recorded = recordedCalls('validators-answers.json')
const subnet = hexOfCb58('2JF2asqTBHK1ypcjcq7p4QjZzdXt45irnnhMdUekB6roCVGSqi') ?? ''

/** What the P-Chain reported about the subnet when its chain was asked. */
function onP(stage: string): Readonly<Record<string, string>> {
  const answer = recorded.get(`L1.platform.getCurrentValidators.${stage}`)?.answer
  const [only] = (answer as { result: { validators: Record<string, string>[] } }).result.validators
  if (only === undefined) throw new Error(`no validator recorded of ${stage}`)
  return only
}

/** A ledger with one validator that is always online; the chain saw it `seconds` after it joined. */
function ledgerOf(stage: 'subnet' | 'l1b', seconds: number): Ledger {
  const told = onP(stage)
  const member = {
    subnetId: subnet,
    nodeId: hexOfCb58(told['nodeID']?.replace('NodeID-', '') ?? '') ?? '',
    weight: BigInt(told['weight'] ?? 0),
    start: Number(told['startTime']),
  }
  const staker = { ...member, kind: 'validator', txId: hexOfCb58(told['txID'] ?? '') } as Partial<Staker>
  const l1 = {
    ...member,
    validationId: hexOfCb58(told['validationID'] ?? ''),
    balance: BigInt(told['balance'] ?? 0),
  } as Partial<L1Validator>
  return {
    currentStakers: () => (stage === 'subnet' ? [staker] : []),
    l1Validators: () => (stage === 'l1b' ? [l1] : []),
    uptime: () => ({ isConnected: true, share: 1 }),
    chainTime: () => member.start + seconds,
  } as Partial<Ledger> as Ledger
}

describe('the validators of a chain are listed as by a real chain', () => {
  test.each([
    ['subnet', 173],
    ['l1b', 73],
  ] as const)('%s', async (stage, seconds) => {
    const methods = validatorMethods({ ledger: ledgerOf(stage, seconds), subnetId: subnet })
    const calls = [...recorded.values()].filter(
      ({ name }) => name.startsWith('L1.validators.') && name.split('.').includes(stage),
    )
    expect(calls).toHaveLength(7)
    const front = await startFront('127.0.0.1', 0, [
      { routes: new Map([[calls[0]?.path ?? '', json2Handler({ name: 'validators', methods })]]) },
    ])
    for (const call of calls) {
      const { status, answer } = call
      expect([call.name, await repeat(front.url, call)]).toEqual([call.name, { status, answer }])
    }
    await front.close()
  })
})
