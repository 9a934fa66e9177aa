import { equal } from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { createApp, type AppOptions } from '../app.ts'
import { createLiveHub, type LiveHub } from '../events/hub.ts'
import { holdToken } from '../kernel/local-token.ts'
import { StoreGate } from '../store/store-gate.ts'
import type { Database } from '../store/database.ts'
import { asOperator, testConfig, testToken } from './config.ts'

/** A service in this process, with its log as text and an adjustable clock. */
export type TestService = {
  readonly app: FastifyInstance
  readonly live: LiveHub
  readonly log: () => string
  /** The service's time in Unix seconds. */
  now: number
  close(): Promise<void>
}

/** Starts the app on a migrated database; without one its store stays closed. */
export async function startTestService(
  database: Database | undefined,
  options: Partial<AppOptions> = {},
): Promise<TestService> {
  const lines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const live = options.live ?? createLiveHub(logger)
  const store = new StoreGate()
  const service = { now: 1_790_000_000 }
  const clock = (): number => service.now
  if (database) await store.open({ database, health: database }, clock)
  const app = await createApp({
    config: testConfig(),
    logger,
    store,
    live,
    clock,
    version: '0.0.0',
    localToken: holdToken(testToken, 'the test has it'),
    ...options,
  })
  await app.ready()
  return Object.assign(service, { app, live, log: () => lines.join(''), close: () => app.close() })
}

/** The rows of a statement by `POST /v1/sql`. Throws if the service refuses it. */
export async function rowsOfSql({ app }: Pick<TestService, 'app'>, sql: string): Promise<unknown[][]> {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/sql',
    headers: asOperator,
    payload: { sql },
  })
  equal(answer.statusCode, 200, answer.body)
  return answer.json<{ rows: unknown[][] }>().rows
}
