// npm run check: types, lint and format; all of them run, and any failure fails the check. A word chooses one:
// npm run typecheck and npm run lint.
import { ensureInstalled, fail, runBinary, say } from './support/bootstrap.mjs'
import { checkRooms } from './rooms.mjs'
import { checkWords } from './words.mjs'

ensureInstalled()
const steps = [
  ['types', 'the dashboard', 'typescript', 'tsc', ['-p', 'tsconfig.web.json']],
  ['types', 'what runs in Node', 'typescript', 'tsc', ['-p', 'tsconfig.node.json']],
  [
    'types',
    'the tests of pages, of real nodes, and benchmarks',
    'typescript',
    'tsc',
    ['-p', 'tsconfig.tests.json'],
  ],
  ['lint', 'all', 'oxlint', 'oxlint', ['--deny-warnings']],
  ['format', 'all', 'prettier', 'prettier', ['--check', '--cache', '--log-level=warn', '.']],
]
const [chosen] = process.argv.slice(2)
const running = steps.filter(([kind]) => chosen === undefined || kind === chosen)
if (running.length === 0) fail(`there is no check "${chosen}"; allowed: types, lint, format`, 2)
// Side by side: the formatter, which takes longest, uses a single core.
const passed = await Promise.all(
  running.map(async ([kind, what, pack, command, args]) => {
    const code = await runBinary(pack, command, args)
    say(`${kind} of ${what}: ${code === 0 ? 'ok' : 'failed'}`)
    return code === 0
  }),
)
let failed = passed.filter((one) => !one).length
if ((chosen ?? 'lint') === 'lint') failed += [checkRooms(), checkWords()].filter((isKept) => !isKept).length
process.exit(failed === 0 ? 0 : 1)
