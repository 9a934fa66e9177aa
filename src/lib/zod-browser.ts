import * as mini from 'zod/mini'
import { _default as withDefault, catch as withFallback } from 'zod/mini'

/*
 * What `import { z } from 'zod'` means in the browser build (vite.config.ts). The contract is written in
 * zod's method style; this offers those methods on top of zod's own small build, so that the browser
 * parses with the same core and leaves out what only the server uses. Types always come from zod itself.
 */

// zod may compile parsers with eval for speed; the content security policy forbids it, and its probe alone
// would be reported.
mini.config({ jitless: true })

type Schema = mini.ZodMiniType
type Shape = Record<string, Schema>
type Methods = {
  optional: () => Schema
  nullable: () => Schema
  default: (value: unknown) => Schema
  transform: (convert: (value: never) => unknown) => Schema
  pipe: (next: Schema) => Schema
  catch: (value: unknown) => Schema
  /** Documentation only: nothing in the browser reads it. */
  describe: () => Schema
  meta: () => Schema
}

/** Adds zod's common methods, and those given, to a schema of the small build. */
function chain<S extends Schema, M extends object>(schema: S, methods?: M): S & Methods & M {
  const common: Methods = {
    optional: () => chain(mini.optional(schema)),
    nullable: () => chain(mini.nullable(schema)),
    default: (value) => chain(withDefault(schema, value as never)),
    transform: (convert) =>
      chain(mini.pipe(schema, mini.transform(convert as (value: unknown) => unknown) as never)),
    pipe: (next) => chain(mini.pipe(schema, next as never)),
    catch: (value) => chain(withFallback(schema, value as never)),
    describe: () => self,
    meta: () => self,
  }
  const self: S & Methods & M = Object.assign(schema, common, methods)
  return self
}

function checked(schema: Schema, build: (schema: Schema) => Schema, check: unknown): Schema {
  return build(schema.check(check as mini.core.$ZodCheck<unknown>))
}

function text(schema: Schema): Schema {
  return chain(schema, {
    min: (length: number, message?: string) => checked(schema, text, mini.minLength(length, message)),
    max: (length: number, message?: string) => checked(schema, text, mini.maxLength(length, message)),
    regex: (pattern: RegExp, message?: string) => checked(schema, text, mini.regex(pattern, message)),
    trim: () => checked(schema, text, mini.trim()),
  })
}

const whole = (value: unknown): boolean => Number.isSafeInteger(value)

function figure(schema: Schema): Schema {
  return chain(schema, {
    min: (least: number, message?: string) => checked(schema, figure, mini.gte(least, message)),
    max: (most: number, message?: string) => checked(schema, figure, mini.lte(most, message)),
    int: (message?: string) =>
      checked(schema, figure, mini.refine(whole, message ?? 'must be a whole number')),
    nonnegative: (message?: string) => checked(schema, figure, mini.gte(0, message)),
  })
}

function list(schema: Schema): Schema {
  return chain(schema, {
    min: (length: number) => checked(schema, list, mini.minLength(length)),
    max: (length: number) => checked(schema, list, mini.maxLength(length)),
  })
}

function shaped(shape: Shape, make: (shape: Shape) => Schema): Schema {
  return chain(make(shape), {
    shape,
    extend: (more: Shape) => shaped({ ...shape, ...more }, make),
  })
}

/** The part of zod's namespace that `contract/` and the dashboard's search parameters use. */
export const z = {
  string: () => text(mini.string()),
  number: () => figure(mini.number()),
  boolean: () => chain(mini.boolean()),
  bigint: () => chain(mini.bigint()),
  unknown: () => chain(mini.unknown()),
  literal: (value: string | number | boolean) => chain(mini.literal(value)),
  enum: (values: readonly string[]) => chain(mini.enum(values as string[])),
  array: (item: Schema) => list(mini.array(item)),
  record: (key: Schema, value: Schema) => chain(mini.record(key as mini.ZodMiniString, value)),
  union: (options: Schema[]) => chain(mini.union(options as [Schema, ...Schema[]])),
  object: (shape: Shape) => shaped(shape, mini.object),
  looseObject: (shape: Shape) => shaped(shape, mini.looseObject),
  coerce: { number: () => figure(mini.coerce.number()), string: () => text(mini.coerce.string()) },
}
