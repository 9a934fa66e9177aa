type Counts = { erc20Count: string; spamErc20Count: string }

/** The number of listed ERC-20 tokens of an address while spam is hidden. */
export const listedTokens = ({ erc20Count, spamErc20Count }: Counts): string =>
  (BigInt(erc20Count) - BigInt(spamErc20Count)).toString()
