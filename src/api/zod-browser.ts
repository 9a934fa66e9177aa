/*
 * What `import { z } from 'zod'` means in the browser build (vite.config.ts). zod's parser is 28 kB
 * gzipped, or 8 kB in its small build, on pages that may weigh 140 kB in all; the contract uses a
 * small, regular part of it, and this is that part with the same meaning. zod-browser.test.ts holds both
 * against each other on every schema of the contract; types always come from zod itself.
 */

type Parse = (value: unknown, path: readonly PropertyKey[]) => unknown

/** What did not fit, and where. Named like zod's error, with the same `issues`. */
class ZodError extends Error {
  readonly issues: readonly { path: readonly PropertyKey[]; message: string }[]

  constructor(path: readonly PropertyKey[], message: string) {
    super(`${path.join('.') || 'value'}: ${message}`)
    this.name = 'ZodError'
    this.issues = [{ path, message }]
  }
}

type Message = string | { error?: string; message?: string; path?: readonly PropertyKey[] } | undefined

const words = (message: Message, otherwise: string): string =>
  typeof message === 'string' ? message : (message?.error ?? message?.message ?? otherwise)

type Context = { addIssue: (issue: string | { message?: string; path?: PropertyKey[] }) => void }

/** The checks of text, numbers and lists; each gives a schema that has them too. */
type Limit = number

class Schema {
  readonly run: Parse
  /** Whether an object may lack a key of this schema, and what it has then. */
  readonly absent: boolean

  constructor(run: Parse, absent = false) {
    this.run = run
    this.absent = absent
  }

  parse(value: unknown): unknown {
    return this.run(value, [])
  }

  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: unknown } {
    try {
      return { success: true, data: this.run(value, []) }
    } catch (error) {
      if (!(error instanceof ZodError)) throw error
      return { success: false, error }
    }
  }

  optional(): Schema {
    return new Schema((value, path) => (value === undefined ? undefined : this.run(value, path)), true)
  }

  nullable(): Schema {
    return new Schema((value, path) => (value === null ? null : this.run(value, path)), this.absent)
  }

  nullish(): Schema {
    return this.nullable().optional()
  }

  default(fallback: unknown): Schema {
    return new Schema((value, path) => (value === undefined ? fallback : this.run(value, path)), true)
  }

  catch(fallback: unknown): Schema {
    return new Schema((value, path) => {
      try {
        return this.run(value, path)
      } catch (error) {
        if (!(error instanceof ZodError)) throw error
        return fallback
      }
    }, true)
  }

  transform(convert: (value: never) => unknown): Schema {
    return new Schema((value, path) => convert(this.run(value, path) as never), this.absent)
  }

  pipe(next: Schema): Schema {
    return new Schema((value, path) => next.run(this.run(value, path), path), this.absent)
  }

  /** A schema of the same kind that also asks this. */
  check(holds: (value: never) => boolean, message: string, below: readonly PropertyKey[] = []): this {
    const run: Parse = (value, path) => {
      const result = this.run(value, path)
      if (!holds(result as never)) throw new ZodError([...path, ...below], message)
      return result
    }
    return this.with(run)
  }

  refine(holds: (value: never) => unknown, message?: Message): this {
    const below = typeof message === 'object' ? message.path : undefined
    return this.check((value) => Boolean(holds(value)), words(message, 'is not allowed'), below)
  }

  superRefine(look: (value: never, context: Context) => void): this {
    return this.with((value, path) => {
      const result = this.run(value, path)
      look(result as never, {
        addIssue: (issue) => {
          const { message = 'is not allowed', path: below = [] } =
            typeof issue === 'string' ? { message: issue } : issue
          throw new ZodError([...path, ...below], message)
        },
      })
      return result
    })
  }

  // Documentation only: nothing in the browser reads it.
  describe(): this {
    return this
  }

  meta(): this {
    return this
  }

  protected with(run: Parse): this {
    return Object.assign(Object.create(this) as this, { run })
  }
}

const size = (value: string | number | readonly unknown[]): number =>
  typeof value === 'number' ? value : value.length

/** Text, numbers and lists: what has a least and a most. */
class Sized extends Schema {
  min(least: Limit, message?: Message): this {
    return this.check((value) => size(value) >= least, words(message, `must be at least ${least}`))
  }

  max(most: Limit, message?: Message): this {
    return this.check((value) => size(value) <= most, words(message, `must be at most ${most}`))
  }

  int(message?: Message): this {
    return this.check(Number.isSafeInteger, words(message, 'must be a whole number'))
  }

  nonnegative(message?: Message): this {
    return this.min(0, message)
  }

  regex(pattern: RegExp, message?: Message): this {
    return this.check((value) => pattern.test(value), words(message, 'has another form'))
  }

  trim(): this {
    return this.with((value, path) => (this.run(value, path) as string).trim())
  }
}

const expect =
  (kind: string, fits: (value: unknown) => boolean): Parse =>
  (value, path) => {
    if (!fits(value)) throw new ZodError(path, `must be ${kind}`)
    return value
  }

const text: Parse = expect('a string', (value) => typeof value === 'string')
const figure: Parse = expect('a number', Number.isFinite)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Shape = Readonly<Record<string, Schema>>

class Shaped extends Schema {
  readonly shape: Shape
  readonly #loose: boolean

  constructor(shape: Shape, loose: boolean) {
    const fields = Object.entries(shape)
    super((value, path) => {
      if (!isObject(value)) throw new ZodError(path, 'must be an object')
      const result: Record<string, unknown> = loose ? { ...value } : {}
      for (const [name, schema] of fields) {
        const given = Object.hasOwn(value, name) ? value[name] : undefined
        if (given === undefined && !schema.absent && !Object.hasOwn(value, name))
          throw new ZodError([...path, name], 'is missing')
        const parsed = schema.run(given, [...path, name])
        if (parsed !== undefined || Object.hasOwn(value, name)) result[name] = parsed
      }
      return result
    })
    this.shape = shape
    this.#loose = loose
  }

  extend(more: Shape): Shaped {
    return new Shaped({ ...this.shape, ...more }, this.#loose)
  }

  omit(names: Readonly<Record<string, true>>): Shaped {
    const rest = Object.entries(this.shape).filter(([name]) => !Object.hasOwn(names, name))
    return new Shaped(Object.fromEntries(rest), this.#loose)
  }
}

/** The part of zod's namespace that `contract/` and the dashboard use. */
export const z = {
  string: () => new Sized(text),
  number: () => new Sized(figure),
  boolean: () => new Schema(expect('true or false', (value) => typeof value === 'boolean')),
  bigint: () => new Schema(expect('a bigint', (value) => typeof value === 'bigint')),
  unknown: () => new Schema((value) => value, true),
  literal: (literal: unknown) => new Schema(expect(String(literal), (value) => value === literal)),
  enum: (values: readonly string[]) =>
    new Schema(expect(`one of ${values.join(', ')}`, (value) => values.includes(value as string))),
  array: (item: Schema) =>
    new Sized((value, path) => {
      if (!Array.isArray(value)) throw new ZodError(path, 'must be a list')
      return value.map((one, index) => item.run(one, [...path, index]))
    }),
  record: (key: Schema, item: Schema) =>
    new Schema((value, path) => {
      if (!isObject(value)) throw new ZodError(path, 'must be an object')
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [key.run(name, path), item.run(one, [...path, name])]),
      )
    }),
  union: (options: readonly Schema[]) =>
    new Schema((value, path) => {
      for (const option of options) {
        const result = option.safeParse(value)
        if (result.success) return result.data
      }
      throw new ZodError(path, 'has none of the allowed forms')
    }),
  object: (shape: Shape) => new Shaped(shape, false),
  looseObject: (shape: Shape) => new Shaped(shape, true),
  coerce: {
    number: () => new Sized((value, path) => figure(Number(value), path)),
    string: () => new Sized((value) => String(value)),
  },
}
