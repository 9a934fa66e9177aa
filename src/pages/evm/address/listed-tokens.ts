type Counts = { erc20Count?: string | undefined; spamErc20Count?: string | undefined }

/** The number of listed ERC-20 tokens of an address while spam is hidden; undefined of one that is not indexed yet. */
export const listedTokens = ({ erc20Count, spamErc20Count = '0' }: Counts): string | undefined =>
  erc20Count === undefined ? undefined : (BigInt(erc20Count) - BigInt(spamErc20Count)).toString()
