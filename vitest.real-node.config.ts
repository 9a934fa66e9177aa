import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['real-node/**/*.test.ts'],
    provide: {
      avalanchego: process.env['RIDGELINE_AVALANCHEGO'] ?? '',
      knowsHelicon: process.env['RIDGELINE_KNOWS_HELICON'] === 'true',
      subnetEvm: process.env['RIDGELINE_SUBNET_EVM'] ?? '',
    },
    // Each file has a network of up to five nodes: one after another, for the sake of memory and cores.
    fileParallelism: false,
    testTimeout: 60_000,
  },
})
