/** Series of a chain that are derived from its metrics (charts/catalogue/chain.ts); `getMetric` has none of them. */
export const derivedNames = [
  'txPerSender',
  'newAddresses',
  'txShare',
  'peakTps',
  'feePerTx',
  'contractsPerDeployer',
  'newDeployers',
] as const
export type DerivedName = (typeof derivedNames)[number]
