import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { serviceUrl } from './stack.ts'
import { profileOfStandIn, startStandIn, type StandIn } from './stand-in.ts'
import { serveFolder } from './web-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A static build on the plainest web server, below a path, in front of three stand-ins at other origins. */
export type StaticSite = {
  readonly url: string
  readonly folder: string
  /** The one key that the stand-ins know. */
  readonly key: string
  /** The default profile, which says that it has the operations of the API reference. */
  readonly listed: StandIn
  /** The profile `documented`, whose OpenAPI document says so. */
  readonly documented: StandIn
  /** The profile `silent`, of which nothing is said. */
  readonly silent: StandIn
  readonly stop: () => Promise<void>
}

/** Builds the dashboard and starts everything. */
export async function startStaticSite(): Promise<StaticSite> {
  const home = mkdtempSync(join(tmpdir(), 'ridgeline-static-'))
  const key = 'a-key-of-the-stand-ins'
  const shared = { upstream: serviceUrl, key, latency: 30 }
  const [listed, documented, silent] = await Promise.all([
    startStandIn(shared),
    startStandIn({ ...shared, hasDocument: true }),
    startStandIn(shared),
  ])
  const config = join(home, 'profiles.json')
  const profiles = [
    profileOfStandIn(listed, { offers: 'interface' }),
    profileOfStandIn(documented, { id: 'documented', name: 'Documented', networkLabel: 'Fuji, documented' }),
    profileOfStandIn(silent, { id: 'silent', name: 'Silent', networkLabel: 'Fuji, without document' }),
    { id: 'fuji' },
  ]
  writeFileSync(config, JSON.stringify({ profiles }))
  const folder = join(home, 'site')
  const args = ['scripts/build-static.mjs', '--config', config, '--out', folder]
  await promisify(execFile)(process.execPath, args, { cwd: root })
  const site = await serveFolder(folder)
  return {
    url: site.url,
    folder,
    key,
    listed,
    documented,
    silent,
    stop: async () => {
      await Promise.all([listed, documented, silent, site].map((one) => one.stop()))
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Opens a page of a static build as a link to it does: the whole document. */
export async function openStatic(page: Page, site: StaticSite, path: string): Promise<Locator> {
  await page.goto('about:blank')
  await page.goto(`${site.url}#${path}`)
  return page.getByRole('main')
}
