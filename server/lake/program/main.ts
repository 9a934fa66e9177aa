import { fileURLToPath } from 'node:url'

/**
 * The program behind `npm run lake`; see docs/lake.md. Each process loads only its own part, because a worker's takes a
 * fraction of the time of all.
 */
const program = fileURLToPath(import.meta.url)

if (process.argv[2] === 'worker' && process.send) (await import('../worker.ts')).runWorker()
else if (process.argv[2] === 'sealer' && process.send) (await import('./sealer.ts')).runSealer(program)
else await (await import('./run.ts')).run(program)
