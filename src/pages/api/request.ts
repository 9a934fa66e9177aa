import type { ApiOperation, FormField } from './document.ts'

/** The entered text by the key of its field. Missing and empty fields are omitted from the request. */
export type Values = Readonly<Record<string, string>>

type Read = { value: unknown } | { wrong: string } | undefined

function readNumber(field: FormField, text: string): Read {
  if (field.kind === 'integer' && !/^-?\d+$/.test(text)) return { wrong: 'must be a whole number' }
  const value = Number(text)
  if (!Number.isFinite(value)) return { wrong: 'must be a number' }
  if (field.min !== undefined && value < field.min) return { wrong: `must be at least ${field.min}` }
  if (field.max !== undefined && value > field.max) return { wrong: `must be at most ${field.max}` }
  return { value }
}

/** The longest pattern that a person can read; those of lists are longer. */
const readablePattern = 60

function readText(field: FormField, text: string): Read {
  const { description, pattern, minLength = 0, maxLength = Infinity } = field
  if (text.length < minLength) return { wrong: `must be at least ${minLength} characters long` }
  if (text.length > maxLength) return { wrong: `must be at most ${maxLength} characters long` }
  if (pattern !== undefined && !new RegExp(pattern).test(text))
    return {
      wrong:
        description !== undefined && pattern.length > readablePattern
          ? `is not valid; expected: ${description}`
          : `must have the form ${pattern}`,
    }
  return { value: text }
}

/** A field's text in the operation's type, or its error; undefined if it is empty. */
export function readField(field: FormField, typed: string): Read {
  const text = typed.trim()
  if (text === '') return field.isRequired ? { wrong: 'is required' } : undefined
  switch (field.kind) {
    case 'integer':
    case 'number':
      return readNumber(field, text)
    case 'text':
      return readText(field, text)
    case 'flag':
      return text === 'true' || text === 'false'
        ? { value: text === 'true' }
        : { wrong: 'must be true or false' }
    case 'choice':
      return field.options.includes(text)
        ? { value: text }
        : { wrong: `must be one of ${field.options.join(', ')}` }
    case 'choices': {
      const chosen = text.split(',')
      const wrong = chosen.find((one) => !field.options.includes(one))
      return wrong === undefined ? { value: chosen } : { wrong: `knows no ${wrong}` }
    }
    case 'json':
      try {
        return { value: JSON.parse(text) as unknown }
      } catch {
        return { wrong: 'must be JSON' }
      }
  }
}

/** A request without its origin. */
export type Built = { path: string; body: string | undefined }

/** The request of a form, or the errors by field. */
export function buildRequest(
  operation: ApiOperation,
  values: Values,
): { request: Built } | { wrong: Readonly<Record<string, string>> } {
  const wrong: Record<string, string> = {}
  const read = new Map<FormField, unknown>()
  for (const field of operation.fields) {
    const result = readField(field, values[field.key] ?? '')
    if (result === undefined) continue
    if ('wrong' in result) wrong[field.key] = result.wrong
    else read.set(field, result.value)
  }
  if (Object.keys(wrong).length > 0) return { wrong }
  let { path } = operation
  const search = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [field, value] of read) {
    if (field.place === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(String(value)))
    else if (field.place === 'body') body[field.name] = value
    // A list repeats its parameter, as the API reference shows it.
    else for (const one of [value].flat()) search.append(field.name, String(one))
  }
  const query = search.toString()
  const hasBody = operation.fields.some(({ place }) => place === 'body')
  return {
    request: {
      path: query === '' ? path : `${path}?${query}`,
      body: hasBody ? JSON.stringify(body) : undefined,
    },
  }
}

/** Whether a path is of the metrics API, which some deployments have at another address (docs/api.md). */
export const isMetricsPath = (path: string): boolean =>
  /^\/(v2\/chains\/[^/]+\/(metrics\/[^/]+$|contracts\/)|v1\/avg_tps\/)/.test(path)
