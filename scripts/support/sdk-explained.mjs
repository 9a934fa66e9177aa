// Why the SDK can't read some fields (docs/api.md, The official SDK). Anything else is a defect.

/** The first pattern that fits a field is its reason. */
const reasons = [
  [/(price|balanceValue|historicalPrice)\.value$/i, 'a decimal string here, a number in the SDK'],
  [/txType = \w+AutoRenewed\w+$/, 'a type of transactions that is newer than the SDK'],
  [/txType = (CreateAssetTx|OperationTx)$/, 'the X-chain’s own types: see outputIndex'],
  [/outputIndex$/, 'an integer on every chain here, text on X and C in the SDK'],
  [/block(Number|Hash)$/, 'what the X-chain accepted in a vertex is in no block'],
  [/(validatorHealth|geolocation)$/, 'measured by the hosted service, on no chain'],
  [
    /validators\.(potentialRewards|uptimePerformance)$/,
    'a validator of a permissioned subnet earns no reward, and nodes tell no uptime of it',
  ],
  [/^memo$/, 'absent where it is empty; the SDK’s record of the X-chain fails on outputIndex besides'],
  [
    /(^|(erc(20|721)Token|collectible)Balances\.|tokens\.|erc(20|721)Token\.)(name|symbol|decimals)$/,
    'the contract does not say',
  ],
  [/tokenUri$/, 'the contract does not say'],
  [/^429: .* was reindexed within the hour/, 'once an hour for each token: an earlier run did it'],
  [/^transfers$/, 'an operation of Ridgeline at the same path'],
]

/** The reason for a field or a value that the SDK does not accept; undefined where there is none. */
export const explanationOf = (field) => reasons.find(([pattern]) => pattern.test(field))?.[1]
