import * as z from 'zod/mini'

/** The kinds of values by zod's names. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
const lengths: Readonly<Record<string, readonly [of: string, one: string, several: string]>> = {
  string: ['a text of ', ' character', ' characters'],
  array: ['a list of ', ' entry', ' entries'],
}

const { localeError } = z.locales.en()

/** What an issue allows; undefined if zod's own message is as good as any. */
function allowedBy(issue: z.core.$ZodRawIssue): string | undefined {
  const bounded = (bound: string, value: number | bigint, origin: string): string => {
    const [of, one, several] = lengths[origin] ?? ['', '', '']
    return `${of}${bound} ${value}${Number(value) === 1 ? one : several}`
  }
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? 'given'
    case 'invalid_value':
      return issue.values.join(', ')
    case 'too_small':
      return bounded(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin)
    case 'too_big':
      return bounded(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin)
    default:
      return undefined
  }
}

/**
 * The second argument of `safeParse` where the messages of the issues are shown. `zod/mini` contains no messages, and
 * zod's own are about its types: "expected nonoptional, received undefined".
 */
export const inEnglish = {
  error: (issue: z.core.$ZodRawIssue) => {
    const allowed = allowedBy(issue)
    if (allowed === undefined) return localeError(issue)
    return issue.input === undefined ? 'is missing' : `must be ${allowed}`
  },
}

/** The same where a message says only what is allowed, behind what was given. */
export const asAllowed = { error: (issue: z.core.$ZodRawIssue) => allowedBy(issue) ?? localeError(issue) }
