// Why the SDK can't read some fields (docs/api.md, The official SDK). Anything else is a defect.

/** The first pattern that matches a field is its reason. */
const reasons = [
  [/(validatorHealth|geolocation)$/, 'measured by the hosted service, on no chain'],
  [
    /validators\.(potentialRewards|uptimePerformance)$/,
    'a validator of a permissioned subnet earns no reward, and nodes tell no uptime of it',
  ],
  [/^transfers$/, 'an operation of Ridgeline at the same path, with records of its own'],
  [/^429: .* was reindexed within the hour/, 'once an hour for each token: an earlier run did it'],
]

/** The reason for a field or value that the SDK rejects; undefined if there is none. */
export const explanationOf = (field) => reasons.find(([pattern]) => pattern.test(field))?.[1]
