/** The meaning of each `indexStatus`, in words for users. */
const words: Readonly<Record<string, { text: string; about: string }>> = {
  INDEXED: { text: 'Read', about: 'The metadata was read and is shown as it was then.' },
  UNINDEXED: {
    text: 'Not read',
    about: 'The metadata has not been read, or links over the network are not followed here.',
  },
  UNKNOWN: { text: 'Unknown', about: 'The contract did not return a link to the metadata.' },
  MISSING_TOKEN: {
    text: 'No such token',
    about: 'The contract says that it has no token of this id, as after a burn.',
  },
  INVALID_TOKEN_URI: {
    text: 'Broken link',
    about: 'What the contract gives as its link is empty or is not a link.',
  },
  INVALID_TOKEN_URI_SCHEME: {
    text: 'Unknown kind of link',
    about: 'The link is none of https, http, ipfs and data.',
  },
  UNREACHABLE_TOKEN_URI: {
    text: 'Unreachable',
    about: 'Nothing usable answered at the link, or its address is one that must not be asked.',
  },
  THROTTLED_TOKEN_URI: {
    text: 'Throttled',
    about: 'The server behind the link asks to be asked less often; it is asked again later.',
  },
  METADATA_CONTENT_TOO_LARGE: {
    text: 'Too large',
    about: 'What the link leads to is larger than what is read.',
  },
  INVALID_METADATA: {
    text: 'Not metadata',
    about: 'What the link leads to is JSON, but not the metadata of an NFT.',
  },
  INVALID_METADATA_JSON: { text: 'Not JSON', about: 'What the link leads to is not JSON.' },
}

/** An `indexStatus` in words; an unknown one is shown as it is. */
export function statusWords(status: string | undefined): { text: string; about: string } {
  if (status === undefined) return { text: 'Not read', about: 'Nothing is known of its metadata yet.' }
  return words[status] ?? { text: status, about: 'A state that this dashboard does not know.' }
}
