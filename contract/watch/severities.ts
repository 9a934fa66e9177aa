/*
 * What the summary of the watch needs, which every page of the dashboard asks for: apart from the fields of requests,
 * which only the pages of the watch need.
 */

/** The tag of the operations that tell operators what went wrong (docs/watch.md). */
export const watchTag = 'Validator watch'

export const severities = ['info', 'warning', 'critical'] as const
export type Severity = (typeof severities)[number]
