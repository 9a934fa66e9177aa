import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where a program of the service is, and whether it needs a loader of TypeScript. */
type ProgramFile = { readonly path: string; readonly isSource: boolean }

/**
 * Finds a program that the service starts as a process or thread: `source` next to the module `from` (its
 * `import.meta.url`), or the built program `name` next to the built ones. With `RIDGELINE_BUILT`, the folder that
 * `npm test` has built, sources take the program from there, which starts in a fraction of the CPU time. Throws if there
 * is neither.
 */
export function programFile(name: string, source: string, from: string): ProgramFile {
  const beside = (place: string): string => fileURLToPath(new URL(place, from))
  const folder = process.env['RIDGELINE_BUILT']
  const path = [
    ...(folder && from.endsWith('.ts') ? [join(folder, `${name}.js`)] : []),
    beside(source),
    beside(`${name}.js`),
    beside(`../${name}.js`),
  ].find((place) => existsSync(place))
  if (path === undefined) throw new Error(`the program ${name} is not built`)
  return { path, isSource: path.endsWith('.ts') }
}

/** The environment of a program that runs what strangers send: none of ours, which holds secrets. Windows needs one name. */
export const bareEnvironment = (): NodeJS.ProcessEnv => ({
  TZ: 'UTC',
  ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }),
})
