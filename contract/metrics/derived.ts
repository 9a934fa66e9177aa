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
/** Those of them that are counted by hour. */
export const hourlyDerivedNames = [
  'txPerSender',
  'txShare',
] as const satisfies readonly (typeof derivedNames)[number][]
export type DerivedName = (typeof derivedNames)[number]
