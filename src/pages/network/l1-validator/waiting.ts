/** The figures of an L1 validator before they have come. */
export const waitingFigures = ['Weight', 'Balance, AVAX', 'Runs out', 'Registered', 'Node'].map((label) => ({
  label,
  value: undefined,
}))
