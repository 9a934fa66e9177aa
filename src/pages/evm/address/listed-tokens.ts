type Counts = { erc20Count: string; spamErc20Count: string }

/** How many ERC-20 tokens of an address are listed while spam is hidden. */
export const listedTokens = ({ erc20Count, spamErc20Count }: Counts): string =>
  (BigInt(erc20Count) - BigInt(spamErc20Count)).toString()
