import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openHome } from '../home.ts'
import { allBlocks } from './ask.ts'
import { type RunningSample, type StartOptions, startSample } from './start.ts'

/** A home for each test of a file, with a space in its path, and everything that was started in it. */
type TestHome = {
  readonly folder: string
  start(options?: StartOptions): Promise<RunningSample>
  /** Node processes whose command line names the home. */
  nodesLeft(): number
  /** Removes everything in the home. */
  empty(): void
}

/** Registers the hooks that create and remove the home. */
export function withHome(hours: number): TestHome {
  let home = ''
  const running: RunningSample[] = []
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'ridgeline home '))
  })
  afterEach(async () => {
    for (const sample of running.splice(0)) await sample.stop()
    // A test that fails between a kill and the next start leaves the nodes of the killed network behind.
    openHome(home).release()
    rmSync(home, { recursive: true, force: true })
  })
  return {
    get folder() {
      return home
    },
    async start(options = {}) {
      const sample = await startSample({ hours, home, ...options })
      running.push(sample)
      return sample
    },
    nodesLeft() {
      const lines = execFileSync('ps', ['-ww', '-eo', 'args='], { encoding: 'utf8' }).split('\n')
      return lines.filter((line) => line.includes('anvil') && line.includes(home)).length
    },
    empty: () => rmSync(home, { recursive: true, force: true }),
  }
}

/** The hashes of every block of every chain, by the chain's name. */
export async function allHashes(sample: RunningSample): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { name, rpcUrl } of sample.listening.network.chains) {
    found[name] = (await allBlocks(rpcUrl)).map(({ hash }) => hash)
  }
  return found
}

/** The program's notices, one line each. */
export function noticesOf(sample: RunningSample): string {
  return sample.notices.map((notice) => (notice.type === 'note' ? notice.message : '')).join('\n')
}
