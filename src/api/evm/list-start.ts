/** Where a list of blocks or transactions begins: at a height, or before a moment. Absent: at the head. */
export type BlocksFrom = { height?: number | undefined; before?: number | undefined }

/** The range parameters of a list that begins there. */
export const rangeOf = ({ height, before }: BlocksFrom) => ({
  endBlock: height === undefined ? undefined : height + 1,
  endTimestamp: before,
})
