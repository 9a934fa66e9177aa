import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort, launch, temporaryFolder } from '../../e2e/support/launcher.ts'

declare module 'vitest' {
  // Only an interface merges with that of the module.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  export interface ProvidedContext {
    /** What `npm start` has started on a day of the sample network, for all test files that use it. */
    stack: {
      /** Without a slash at its end. */
      readonly url: string
      readonly token: string
      readonly tokenFile: string
    }
  }
}

/** Runs `npm start` once for the files that inject `stack`, and waits until every chain is indexed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder()
  const home = join(folder.path, 'home')
  const stack = launch({
    home,
    env: { SAMPLE_PORT: await freePort(), RIDGELINE_SAMPLE_ARGS: '--hours 24' },
  })
  const url = await stack.ready()
  const tokenFile = join(home, 'token')
  project.provide('stack', { url, token: readFileSync(tokenFile, 'utf8').trim(), tokenFile })
  return async () => {
    await stack.stop()
    folder.remove()
  }
}
