import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { dashboardQueries, fits, ruleQueries, samplesOf, selectorsOf } from './support/promql.ts'

/** What rules and dashboards ask for, in the metrics of a service with the sample, a fleet and a rule. */

const root = fileURLToPath(new URL('..', import.meta.url))
const patient = { timeout: 180_000, interval: 500 }
const { url, token } = inject('stack')

/** Series that this service does not have, each with the reason. */
const absent: Readonly<Record<string, string>> = {
  up: 'made by Prometheus itself',
  ridgeline_replica_lag: 'only with DATABASE_READ_URL',
}

const text = async (path: string): Promise<string> => {
  const answer = await fetch(`${url}${path}`)
  expect(answer.status, path).toBe(200)
  return answer.text()
}

beforeAll(async () => {
  const ask = async (path: string, body: unknown): Promise<{ fleet: { fleetId: string } }> => {
    const answer = await fetch(`${url}/v1/watch/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-ridgeline-token': token },
      body: JSON.stringify(body),
    })
    expect(answer.ok, path).toBe(true)
    return (await answer.json()) as { fleet: { fleetId: string } }
  }
  const [node = ''] = await nodes()
  const { fleet } = await ask('fleets', { network: 'fuji', name: 'Mine', text: node })
  for (const severity of ['critical', 'warning'])
    await ask('rules', { kind: 'notConnected', fleetId: fleet.fleetId, severity, channelIds: [] })
})
/** Validators of the primary network and of an L1. */
async function nodes(): Promise<string[]> {
  const of = async (path: string): Promise<string[]> => {
    const { validators } = JSON.parse(await text(`/v1/networks/fuji/${path}`)) as {
      validators: { nodeId: string }[]
    }
    return validators.map(({ nodeId }) => nodeId)
  }
  return [
    ...(await of('validators?validationStatus=active&pageSize=50')),
    ...(await of('l1Validators')),
  ].slice(0, 64)
}

test('the service has every series of rules and dashboards', async () => {
  // The example of ops/prometheus/prometheus.yml asks by these parameters.
  const example = readFileSync(join(root, 'ops/prometheus/prometheus.yml'), 'utf8')
  expect(example).toMatch(/metrics_path: \/metrics\/validators\n\s+params:\n\s+network: .*\n\s+nodeIds: /)
  const validators = `/metrics/validators?network=fuji&nodeIds=${(await nodes()).join(',')}`
  const selectors = [...ruleQueries(root), ...dashboardQueries(root)].flatMap(selectorsOf)
  await vi.waitFor(async () => {
    const samples = [...samplesOf(await text('/metrics')), ...samplesOf(await text(validators))]
    const lacking = selectors.filter(
      (selector) => absent[selector.name] === undefined && !samples.some((each) => fits(each, selector)),
    )
    expect(lacking).toEqual([])
  }, patient)
})
