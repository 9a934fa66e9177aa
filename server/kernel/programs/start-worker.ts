import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { programFile } from './program-file.ts'

/**
 * Starts a thread of a program that lies next to the module `from` (its `import.meta.url`) in the sources, and next to
 * the built programs after a build.
 */
export function startWorker(name: string, from: string, options: WorkerOptions): Worker {
  const { path, isSource } = programFile(name, `${name}.ts`, from)
  if (!isSource) return new Worker(path, options)
  // A thread does not inherit its parent's loader of TypeScript.
  const load = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ tsImport }) =>
    tsImport(${JSON.stringify(pathToFileURL(path).href)}, ${JSON.stringify(from)}))`
  return new Worker(load, { ...options, eval: true })
}
