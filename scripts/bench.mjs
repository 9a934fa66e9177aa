// npm run bench [-- bytes|load|charts|indexing|http …] [--full]: figures beside anchors of the same run;
// see docs/performance.md.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, findChromium, root, runBinary } from './support/bootstrap.mjs'

ensureInstalled()
await ensureBuilt()
const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const browser = names.length === 0 || names.includes('load') || names.includes('charts')
const env = browser ? { RIDGELINE_CHROMIUM: await findChromium() } : {}
process.exit(await runBinary('tsx', 'tsx', [join(root, 'bench/main.ts'), ...args], env))
