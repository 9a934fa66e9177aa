import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../e2e/support/launcher.ts'

const source = fileURLToPath(new URL('../ops/systemd', import.meta.url))
const units = readdirSync(source).filter((name) => name.endsWith('.service'))
const folder = temporaryFolder()
afterAll(() => folder.remove())

/** Whether a program is installed; says in one line what is not tested without it. */
function isInstalled(program: string, what: string): boolean {
  const found = spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
  // oxlint-disable-next-line no-console -- says in one line what was not tested
  if (!found) console.info(`${program} is not installed: ${what} is not tested`)
  return found
}

/** The lines of a unit that bound what its process may do, and how it is started again. */
const hardening = (name: string): string[] => {
  const [, rest = ''] = readFileSync(join(source, name), 'utf8').split('StandardOutput=')
  return (rest.split('[Install]')[0] ?? '').split('\n')
}

test('all units have the same bounds', () => {
  expect(units).toEqual(['ridgeline-api@.service', 'ridgeline-indexer.service', 'ridgeline.service'])
  expect(hardening('ridgeline.service').length).toBeGreaterThan(30)
  for (const unit of units) expect(hardening(unit), unit).toEqual(hardening('ridgeline.service'))
})

describe.skipIf(!isInstalled('systemd-analyze', 'ops/systemd'))('systemd-analyze', () => {
  // On this machine node may be elsewhere, and a template is verified as one of its instances.
  const copies = units.map((name) => {
    const copy = join(folder.path, name.replace('@.', '@4400.'))
    const text = readFileSync(join(source, name), 'utf8')
    writeFileSync(copy, text.replaceAll('/usr/bin/node', process.execPath))
    return copy
  })

  test('verify finds nothing', () => {
    const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--man=no', ...copies], {
      encoding: 'utf8',
    })
    // It also reads the units of the machine that these come after; what it finds there is not ours.
    expect(stderr.split('\n').filter((line) => /ridgeline|Unknown|Failed to parse/i.test(line))).toEqual([])
    expect(status).toBe(0)
  })

  test.each(copies)('security finds little that %s could still give up', (copy) => {
    const flags = ['--offline=true', '--threshold=15', '--no-pager']
    const { stdout, stderr, status } = spawnSync('systemd-analyze', ['security', ...flags, copy], {
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
  })
})

describe.skipIf(!isInstalled('logrotate', 'ops/systemd/logrotate'))('logrotate', () => {
  test('empties a log that its writer keeps open, and keeps what was in it', () => {
    const home = join(folder.path, 'home')
    mkdirSync(join(home, 'logs'), { recursive: true })
    mkdirSync(join(home, 'postgres'))
    const file = join(home, 'postgres/server.log')
    writeFileSync(file, 'x'.repeat(1000))
    const config = join(folder.path, 'logrotate')
    cpSync(join(source, 'logrotate'), config)
    const text = readFileSync(config, 'utf8')
      .replaceAll('/var/lib/ridgeline', home)
      // The account need not exist here.
      .replace(/^ *su .*\n/m, '')
    writeFileSync(config, text, { mode: 0o644 })
    execFileSync('logrotate', ['--force', '--state', join(folder.path, 'state'), config], { stdio: 'pipe' })
    expect(readFileSync(file, 'utf8')).toBe('')
    expect(readdirSync(join(home, 'postgres'))).toEqual(['server.log', 'server.log.1.gz'])
  })
})
