import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { chosenTests, leftOutTests } from './scripts/testing/left-out.ts'
import { isOfLostConnection } from './server/store/lost-connection.ts'

const root = import.meta.dirname

const rooms = ['contract', 'charts', 'protocol', 'src', 'server', 'sample', 'scripts', 'bench']
const end = chosenTests === 'long' ? '.long.test' : '.test'
const include = [`{${rooms.join()}}/**/*${end}.{ts,tsx}`]
const exclude = [...configDefaults.exclude, ...leftOutTests(rooms, '.long.test.ts')]

/** The test files of rooms that a condition selects. */
const filesOf = (rooms: readonly string[], isChosen: (file: string) => boolean): string[] =>
  rooms.flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .map((file) => `${room}/${file}`)
      .filter((file) => file.endsWith(`${end}.ts`))
      .filter(isChosen),
  )

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Whether a test, or what it imports from folders `testing`, makes databases. */
const makesDatabases = (file: string, seen = new Set<string>()): boolean =>
  [...textOf(file).matchAll(/ from '(\.[^']+)'/g)].some(([, path = '']) => {
    const imported = join(dirname(file), path)
    if (imported === 'server/testing/database.ts') return true
    if (!imported.includes('/testing/') || seen.has(imported)) return false
    return makesDatabases(imported, seen.add(imported))
  })

/** The tests that need the database server. The others start without one. */
const withStore = filesOf(['server', 'bench'], (file) => makesDatabases(file))

/** The tests of a running sample and service, which they share. */
const withStack = filesOf(['scripts'], (file) => textOf(file).includes("inject('stack')"))

export default defineConfig({
  test: {
    // Two cores, and many test files that wait for servers.
    maxWorkers: 3,
    // A worker keeps its modules from file to file: loading them anew for each was a fifth of the CPU time.
    isolate: false,
    // They end only what hangs: a busy machine may take ten times as long as a quiet one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    // As in playwright.config.ts: a loaded machine may miss a deadline once; the report marks a second try.
    retry: process.env['CI'] ? 1 : 0,
    restoreMocks: true,
    // As the service does (server/main.ts).
    onUnhandledError: (error) => !isOfLostConnection(error),
    projects: [
      { extends: true, test: { name: 'pure', include, exclude: [...exclude, ...withStore, ...withStack] } },
      {
        extends: true,
        test: { name: 'store', include: withStore, exclude, globalSetup: ['server/testing/global-setup.ts'] },
      },
      {
        extends: true,
        test: { name: 'stack', include: withStack, exclude, globalSetup: ['scripts/testing/stack.ts'] },
      },
    ],
  },
})
