import { describe, expect, test } from 'vitest'
import { type Recorded, recordedCalls } from '../../testing/recorded-answers.ts'
import { type GenesisConfig, subnetRules, type UpgradeConfig } from './rules.ts'
import chain from '../fixtures/rules-chain.json' with { type: 'json' }

const genesis = chain.genesis as GenesisConfig
/** All upgrades of the local network were active from this time on. */
const since = 1_607_144_400
const ages = { durango: since, etna: since, granite: since }
const before = subnetRules(genesis, {}, ages)
const after = subnetRules(genesis, chain.upgrades as UpgradeConfig, ages)
/** The head's time when the calls without a time were recorded: after all upgrades but one. */
const head = 1_795_249_800

function rulesOf({ name }: Recorded): typeof before {
  return /\.upg(\.|$)/.test(name) ? after : before
}

/** The value after a JSON round trip, which drops undefined members. */
function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function calls(method: string): Recorded[] {
  return [...recordedCalls('rules-answers.json').values()].filter(
    ({ body, answer }) =>
      (body as { method: string }).method === method && 'result' in (answer as { result?: unknown }),
  )
}

function timeOf({ body }: Recorded): number {
  const { params } = body as { params: (number | null)[] }
  return params[0] ?? head
}

function resultOf({ answer }: Recorded): unknown {
  return (answer as { result: unknown }).result
}

describe('a subnet chain has the recorded rules of a real node with the same genesis and upgrades', () => {
  test.each(calls('eth_getChainConfig').map((call) => [call.name, call] as const))('%s', (_, call) => {
    const config = rulesOf(call).chainConfig()
    expect(sent(config)).toEqual(resultOf(call))
    expect(Object.keys(config)).toEqual(Object.keys(resultOf(call) as object))
  })

  test.each(calls('eth_getActivePrecompilesAt').map((call) => [call.name, call] as const))(
    '%s',
    (_, call) => {
      expect(sent(rulesOf(call).precompilesAt(timeOf(call)))).toEqual(resultOf(call))
    },
  )

  test.each(calls('eth_getActiveRulesAt').map((call) => [call.name, call] as const))('%s', (_, call) => {
    expect(sent(rulesOf(call).rulesAt(timeOf(call)))).toEqual(resultOf(call))
  })
})
