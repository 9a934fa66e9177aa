import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../e2e/support/launcher.ts'
import { readInstructions } from './support/image.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'ops/docker')
const folder = temporaryFolder()
afterAll(() => folder.remove())

const succeeds = (command: string, args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0
const compose = ([['docker', 'compose'], ['docker-compose']] as const).find(([command, ...more]) =>
  succeeds(command, [...more, 'version', '--short']),
)
const hasYaml = succeeds('python3', ['-c', 'import yaml'])
// oxlint-disable-next-line no-console -- says in one line what was not tested
if (!compose) console.info('Docker Compose is not installed: its schema is not tested')
// oxlint-disable-next-line no-console -- says in one line what was not tested
if (!hasYaml) console.info('python3-yaml is not installed: ops/docker/compose.yaml is not read')

type Service = {
  readonly image: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes: readonly string[]
  readonly profiles?: readonly string[]
  readonly logging: { readonly options: Record<string, string> }
}

describe.skipIf(!hasYaml)('ops/docker/compose.yaml', () => {
  const read = 'import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)'
  const file = (): { services: Record<string, Service>; volumes: Record<string, unknown> } =>
    JSON.parse(execFileSync('python3', ['-c', read, join(source, 'compose.yaml')], { encoding: 'utf8' }))

  test('bounds every container, names every version and opens ports on this machine alone', () => {
    const { services } = file()
    expect(Object.keys(services)).toEqual(['ridgeline', 'postgres', 'prometheus', 'grafana'])
    for (const [name, service] of Object.entries(services)) {
      expect(service.read_only, name).toBe(true)
      expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
      // The entry point of PostgreSQL's image starts as root, to become its user.
      if (name !== 'postgres') expect(service.cap_drop, name).toEqual(['ALL'])
      if (name !== 'ridgeline') expect(service.image).toMatch(/^[\w/]+:v?\d+\.\d+[\w.-]*$/)
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
      expect(service.logging.options['max-size']).toBe('50m')
    }
    expect(Object.entries(services).filter(([, { profiles }]) => profiles === undefined)).toHaveLength(2)
  })

  test('has a value for every variable, which env.example names, and reaches a node on the host', () => {
    const text = readFileSync(join(source, 'compose.yaml'), 'utf8')
    const used = [...text.matchAll(/\$\{(\w+):-([^}]*)\}/g)].map(([, name = '', value = '']) => [name, value])
    expect([...text.matchAll(/\$\{/g)]).toHaveLength(used.length)
    const named = [...readFileSync(join(source, 'env.example'), 'utf8').matchAll(/^(\w+)=(.*)$/gm)]
    expect(new Map(named.map(([, name = '', value = '']) => [name, value]))).toEqual(
      new Map(used as [string, string][]),
    )
    const { ridgeline } = file().services
    expect(ridgeline).toMatchObject({ extra_hosts: ['host.docker.internal:host-gateway'] })
  })

  test('mounts files that exist, and volumes that it declares', () => {
    const { services, volumes } = file()
    const mounts = Object.values(services).flatMap((service) => service.volumes)
    const sources = mounts.map((mount) => mount.replace(/\$\{.*:-(.*)\}/, '$1').split(':')[0] ?? '')
    for (const path of sources.filter((each) => each.startsWith('.')))
      expect(existsSync(resolve(source, path)), path).toBe(true)
    const named = sources.filter((each) => !each.startsWith('.'))
    expect(named.sort()).toEqual(Object.keys(volumes).sort())
  })
})

test.skipIf(!compose)('Docker Compose accepts the file', () => {
  cpSync(source, join(folder.path, 'docker'), { recursive: true })
  const [command, ...more] = compose ?? ['']
  const args = [...more, '--profile', 'monitoring', 'config', '--quiet']
  execFileSync(command, args, { cwd: join(folder.path, 'docker'), stdio: 'pipe' })
})

test('the Dockerfile has a base by name and version, two stages, a user, and a health check that fits the port', () => {
  const instructions = readInstructions(readFileSync(join(source, 'Dockerfile'), 'utf8'))
  const of = (word: string) => instructions.filter((each) => each.word === word).map(({ rest }) => rest)
  expect(of('FROM')).toEqual([
    expect.stringMatching(/^debian:\d+\.\d+-slim AS build$/),
    expect.stringMatching(/^debian:\d+\.\d+-slim$/),
  ])
  expect(of('USER')).toEqual(['ridgeline'])
  // The user is set after the last step that needs root.
  const words = instructions.map(({ word }) => word)
  expect(words.lastIndexOf('RUN')).toBeLessThan(words.indexOf('USER'))
  expect(words.lastIndexOf('COPY')).toBeLessThan(words.indexOf('USER'))
  expect(of('HEALTHCHECK')).toEqual([expect.stringContaining('process.env.HEALTH_PORT}/health')])
})
