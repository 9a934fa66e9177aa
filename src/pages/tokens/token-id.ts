/** An NFT's id for reading: `#12`; an id of many digits as its first and last ones. */
export function shortId(tokenId: string): string {
  return tokenId.length <= 14 ? `#${tokenId}` : `#${tokenId.slice(0, 6)}…${tokenId.slice(-5)}`
}
