/**
 * The types of calls that run in the caller's own account, so that a value they report goes nowhere: DELEGATECALL shows
 * that of its caller, CALLCODE pays its caller itself, and STATICCALL has none (Yellow Paper, appendix H).
 */
export const callTypesInPlace: ReadonlySet<string> = new Set(['CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/** Whether a call of this type moves the value that it reports, provided that it lasts. */
export const movesValue = (type: string, value: bigint): boolean => value > 0n && !callTypesInPlace.has(type)
