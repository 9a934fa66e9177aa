import { defineConfig } from 'vitest/config'
import { isOfLostConnection } from './server/store/lost-connection.ts'

export default defineConfig({
  test: {
    include: ['{contract,charts,protocol,src,server,sample,scripts,bench}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/global-setup.ts'],
    // Two cores, and many test files that wait for servers.
    maxWorkers: 3,
    // A worker keeps its modules from file to file: loading them anew for each was a fifth of the CPU time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in playwright.config.ts: a loaded machine may miss a deadline once; the report marks a second try.
    retry: process.env['CI'] ? 1 : 0,
    restoreMocks: true,
    // As the service does (server/main.ts).
    onUnhandledError: (error) => !isOfLostConnection(error),
  },
})
