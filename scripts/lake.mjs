// npm run lake: sealed history as Parquet files; see docs/lake.md.
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { ensureBuilt, ensureInstalled, root } from './support/bootstrap.mjs'

ensureInstalled()
await ensureBuilt(['node'])
const program = join(root, 'dist/node/lake.js')
const child = spawn(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
child.once('exit', (code) => process.exit(code ?? 1))
