/** The meaning of each `indexStatus`, in words for users. */
const words: Readonly<Record<string, { text: string; about: string }>> = {
  INDEXED: { text: 'Read', about: 'The metadata is shown as it was when it was read.' },
  UNINDEXED: {
    text: 'Not read',
    about: 'The metadata has not been read, or links over the network are not followed here.',
  },
  UNKNOWN: { text: 'Unknown', about: 'The contract did not return a link to the metadata.' },
  MISSING_TOKEN: {
    text: 'No such token',
    about: 'The contract has no token of this ID, for example after a burn.',
  },
  INVALID_TOKEN_URI: {
    text: 'Broken link',
    about: 'The contract’s link is empty or not a link.',
  },
  INVALID_TOKEN_URI_SCHEME: {
    text: 'Unsupported link',
    about: 'Unsupported link type: neither https, http, ipfs nor data.',
  },
  UNREACHABLE_TOKEN_URI: {
    text: 'Unreachable',
    about: 'Nothing usable answered at the link, or its address is not allowed.',
  },
  THROTTLED_TOKEN_URI: {
    text: 'Throttled',
    about: 'The server limits requests; retrying later.',
  },
  METADATA_CONTENT_TOO_LARGE: {
    text: 'Too large',
    about: 'The document is larger than the limit.',
  },
  INVALID_METADATA: {
    text: 'Not metadata',
    about: 'The link returns JSON, but no NFT metadata.',
  },
  INVALID_METADATA_JSON: { text: 'Not JSON', about: 'The link does not return JSON.' },
}

/** An `indexStatus` in words; an unknown one is shown as it is. */
export function statusWords(status: string | undefined): { text: string; about: string } {
  if (status === undefined) return { text: 'Not read', about: 'Nothing is known of its metadata yet.' }
  return words[status] ?? { text: status, about: 'Unknown status.' }
}
