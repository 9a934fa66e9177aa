// npm run check: types, lint and format; all three run, and any failure fails the check.
import { ensureInstalled, runBinary, say } from './bootstrap.mjs'

ensureInstalled()
const steps = [
  ['types of the dashboard', 'typescript', 'tsc', ['-p', 'tsconfig.web.json']],
  ['types of everything else', 'typescript', 'tsc', ['-p', 'tsconfig.node.json']],
  ['lint', 'oxlint', 'oxlint', ['--deny-warnings']],
  ['format', 'prettier', 'prettier', ['--check', '--cache', '--log-level=warn', '.']],
]
let failed = 0
for (const [name, pack, command, args] of steps) {
  const code = await runBinary(pack, command, args)
  say(`${name}: ${code === 0 ? 'ok' : 'failed'}`)
  if (code !== 0) failed += 1
}
process.exit(failed === 0 ? 0 : 1)
