/** The ids of the sample's chains and of AVAX, in avalanchejs' format. */
type ChainIds = {
  readonly P: string
  readonly X: string
  readonly C: string
  readonly avax: string
}

/** The ids that the sample shares with Fuji, whatever its seed. */
export const sampleIds = {
  P: '11111111111111111111111111111111LpoYY',
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
  C: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  avax: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
} as const

/** The sample network's properties with which avalanchejs builds transactions. */
export const avalancheContext = (ids: ChainIds) => ({
  networkID: 5,
  hrp: 'fuji',
  pBlockchainID: ids.P,
  xBlockchainID: ids.X,
  cBlockchainID: ids.C,
  avaxAssetID: ids.avax,
  baseTxFee: 1_000_000n,
  createAssetTxFee: 10_000_000n,
  platformFeeConfig: {
    weights: { 0: 1, 1: 1000, 2: 1000, 3: 4 } as const,
    maxCapacity: 1_000_000n,
    maxPerSecond: 100_000n,
    targetPerSecond: 50_000n,
    minPrice: 1n,
    excessConversionConstant: 2_164_043n,
  },
})
