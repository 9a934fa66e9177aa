import { defineConfig } from 'vitest/config'

/** Broken copies of the project: set by scripts/test-mutants.mjs alone. */
const mutants = process.env['RIDGELINE_MUTANTS']

export default defineConfig({
  test: {
    include: [mutants === undefined ? 'real-node/**/*.test.ts' : 'real-node/mutants.ts'],
    provide: {
      avalanchego: process.env['RIDGELINE_AVALANCHEGO'] ?? '',
      knowsHelicon: process.env['RIDGELINE_KNOWS_HELICON'] === 'true',
      subnetEvm: process.env['RIDGELINE_SUBNET_EVM'] ?? '',
      publicNode: process.env['RIDGELINE_PUBLIC_NODE'] ?? '',
      mutants: JSON.parse(mutants ?? '[]') as [],
      geth: process.env['RIDGELINE_GETH'] ?? '',
      hardhat: process.env['RIDGELINE_HARDHAT'] ?? '',
    },
    // Each file has a network of up to five nodes: one after another, for the sake of memory and cores.
    fileParallelism: false,
    // Ends only what hangs: a node's keystore works on a password for a second and more, dozens of times in one test,
    // and five times as long beside another suite.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: process.env['CI'] ? 1 : 0,
  },
})
