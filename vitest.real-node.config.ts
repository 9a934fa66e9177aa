import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['real-node/**/*.test.ts'],
    provide: { avalanchego: process.env['RIDGELINE_AVALANCHEGO'] ?? '' },
    testTimeout: 60_000,
  },
})
