import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvmChain } from '../../evm/evm-chain.ts'
import { type RecordedAnswer, recordedAnswers, recordedLedger } from '../../testing/recorded-ledger.ts'
import { createChainRegistry } from '../rpc/chain-names.ts'
import { type Front, startFront } from '../../kernel/front.ts'
import { primaryRoutes } from './routes.ts'

/**
 * Answers that depend on properties of the recorded network that the sample does not share: fees, least stakes, the
 * node validating.
 */
const otherwise: ReadonlySet<string> = new Set([
  'avm.getTxFee',
  'platform.getMinStake',
  'platform.getValidatorFeeConfig',
  'platform.getBlockchainStatus',
  // Picked at random, from nodes in no defined order.
  'platform.sampleValidators',
  // About five validators, some of whose transactions were not recorded.
  'platform.getStake',
])

function isServed({ path, name }: RecordedAnswer): boolean {
  if (path.startsWith('/ext/info') || path.startsWith('/ext/health')) return false
  // From another network than the ledger's.
  return !path.startsWith('/ext/index/C') && !name.startsWith('L1.')
}

let front: Front

beforeAll(async () => {
  const ids = {
    P: '11111111111111111111111111111111LpoYY',
    X: '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
    C: '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
  }
  const routeGroup = primaryRoutes({
    ledger: Promise.resolve(recordedLedger()),
    // Nothing else of the chain is used here.
    c: Promise.resolve({ head: { number: 7, hash: '0x', time: 0 } } as Partial<EvmChain> as EvmChain),
    registry: createChainRegistry(Object.entries(ids).map(([name, id]) => ({ id, names: [name] }))),
    prefix: 'local',
    proposers: [],
    hook: undefined,
  })
  front = await startFront('127.0.0.1', 0, [routeGroup])
})
afterAll(() => front.close())

/** The ledger's times have at most milliseconds; the node's have nine decimal places. */
function withoutNanoseconds(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer).replaceAll(/(T[\d:]{8}\.\d{3})\d*Z/g, '$1Z'))
}

/** The fixture keeps only one of the 1,025 addresses. */
function bodyOf({ name, body }: RecordedAnswer): string {
  if (typeof body === 'string') return body
  const text = JSON.stringify(body)
  if (!name.endsWith('tooManyAddrs')) return text
  return text.replace(/"(C-local1\w+)"/, (address) => Array.from({ length: 1025 }, () => address).join(','))
}

/** The answer, reduced to what depends on the request; JSON is parsed. */
async function ask(recorded: RecordedAnswer): Promise<Partial<RecordedAnswer>> {
  const { path, httpMethod, contentType } = recorded
  const response = await fetch(front.url + path, {
    method: httpMethod,
    ...(httpMethod === 'POST'
      ? {
          headers: { 'content-type': contentType },
          body: bodyOf(recorded),
        }
      : {}),
  })
  const text = await response.text()
  const type = response.headers.get('content-type')
  const answer: unknown = type?.startsWith('application/json') === true ? JSON.parse(text) : text
  return { status: response.status, type, answer }
}

describe('P, X, the atomic memory and the index give the recorded answers of a real node in the same state', () => {
  for (const recorded of recordedAnswers.filter((each) => isServed(each) && !otherwise.has(each.name))) {
    test(recorded.name, async () => {
      const { status, type, answer } = recorded
      expect(await ask(recorded)).toEqual({ status, type, answer: withoutNanoseconds(answer) })
    })
  }
})
