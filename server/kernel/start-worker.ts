import { existsSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread of a program that lies next to the module `from` (its `import.meta.url`) in the sources, and next to
 * the built programs after a build.
 */
export function startWorker(name: string, from: string, options: WorkerOptions): Worker {
  const file = [`${name}.ts`, `${name}.js`, `../${name}.js`]
    .map((place) => fileURLToPath(new URL(place, from)))
    .find((path) => existsSync(path))
  if (file === undefined) throw new Error(`the program ${name} is not built`)
  if (!file.endsWith('.ts')) return new Worker(file, options)
  // A thread does not inherit its parent's loader of TypeScript.
  const load = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ tsImport }) =>
    tsImport(${JSON.stringify(pathToFileURL(file).href)}, ${JSON.stringify(from)}))`
  return new Worker(load, { ...options, eval: true })
}
