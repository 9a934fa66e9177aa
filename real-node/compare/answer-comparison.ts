import { expect } from 'vitest'
import type { NodeMethod } from '../../contract/node/node-methods.ts'

/** The parts of a method's answer that change from call to call; keyed by the node's name of the method. */
type Volatile =
  /** The whole result. */
  | { readonly whole: string }
  /** Fields with these names at any depth; lists named in `unordered` may be in any order. */
  | { readonly fields: readonly string[]; readonly unordered?: readonly string[]; readonly why: string }

const newFilter = { whole: 'each filter has an id of its own' } as const
const newTransaction = { whole: 'each transaction has a nonce of its own' } as const
const uptimes = 'uptimes grow'
/** A health check that runs every 200 ms in these networks. */
const health = {
  fields: [
    'timestamp',
    'duration',
    'availableDiskBytes',
    'longestProcessingBlock',
    'longestRunningProcessing',
    'sendFailRate',
    'timeSinceLastMsgReceived',
    'timeSinceLastMsgSent',
    'contiguousFailures',
    'timeOfFirstFailure',
  ],
  why: 'checks tell when they ran and how long, and what was measured',
} as const

const volatile: Readonly<Record<string, Volatile>> = {
  eth_newBlockFilter: newFilter,
  eth_newFilter: newFilter,
  eth_newPendingTransactionFilter: newFilter,
  eth_sendTransaction: newTransaction,
  personal_sendTransaction: newTransaction,
  personal_newAccount: { whole: 'each account has a key of its own' },
  'platform.sampleValidators': { whole: 'a random sample' },
  'platform.getCurrentValidators': { fields: ['uptime'], why: uptimes },
  'validators.getCurrentValidators': {
    fields: ['uptimeSeconds', 'uptimePercentage'],
    unordered: ['validators'],
    why: uptimes,
  },
  'info.peers': {
    fields: ['lastSent', 'lastReceived', 'observedUptime'],
    unordered: ['peers'],
    why: 'peers talk all the time',
  },
  'info.uptime': { fields: ['rewardingStakePercentage', 'weightedAveragePercentage'], why: uptimes },
  'health.health': health,
  'health.liveness': health,
  'health.readiness': health,
}

/**
 * The stable part of an answer: its names and the types of its values. A list has the shapes of its elements; an
 * error keeps its code and message.
 */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = value.map((each) => JSON.stringify(shapeOf(each)))
    return [...new Set(shapes)].sort()
  }
  // The console reads numbers of any length.
  if (typeof value === 'bigint') return 'number'
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  const entries = Object.entries(value).map(([name, each]): [string, unknown] =>
    name === 'error' ? [name, each] : [name, shapeOf(each)],
  )
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** An answer with shapes in place of its volatile values. */
export function stablePartOf(method: NodeMethod, value: unknown): unknown {
  const rule = volatile[method.nodeMethod ?? method.method]
  if (rule === undefined) return exact(value)
  if ('whole' in rule) return shapeOf(value)
  const { fields, unordered = [] } = rule
  const replace = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(replace)
    if (typeof each !== 'object' || each === null) return exact(each)
    return Object.fromEntries(
      Object.entries(each).map(([name, inner]) => {
        if (fields.includes(name)) return [name, shapeOf(inner)]
        const found = replace(inner)
        return [name, unordered.includes(name) && Array.isArray(found) ? sorted(found) : found]
      }),
    )
  }
  return replace(value)
}

/** The console reads numbers of any length; the other side has those of 16 digits and more as text. */
function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value).length < 16 ? Number(value) : String(value)
  if (Array.isArray(value)) return value.map(exact)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, exact(each)]))
}

const sorted = (values: readonly unknown[]): unknown[] =>
  values.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

/**
 * Compares the answer of `ours` with the answer of `theirs` just before it or, if something happened in between,
 * just after it.
 */
export async function compareAnswers<T>(
  title: string,
  steady: (answer: T) => unknown,
  ours: () => Promise<T>,
  theirs: () => Promise<T>,
): Promise<T> {
  const before = await theirs()
  const found = steady(await ours())
  const isSame = JSON.stringify(found) === JSON.stringify(steady(before))
  expect(found, title).toEqual(steady(isSame ? before : await theirs()))
  return before
}
