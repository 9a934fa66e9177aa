/** The start of a list of blocks or transactions: a height, or a time. By default the head. */
export type BlocksFrom = { height?: number | undefined; before?: number | undefined }

/** The range parameters of a list with this start. */
export const rangeOf = ({ height, before }: BlocksFrom) => ({
  endBlock: height === undefined ? undefined : height + 1,
  endTimestamp: before,
})
