import * as z from 'zod/mini'
import type { Operation } from '../base/operation.ts'
import { recordNames } from './names.ts'

type Schema = z.core.$ZodType

/** The record that a schema is: without a description or a check that was added to it, and made if it is lazy. */
export function recordOf(schema: Schema): Schema {
  let found = schema instanceof z.core.$ZodLazy ? schema._zod.innerType : schema
  while (found._zod.parent) found = found._zod.parent
  return found
}

/** The schemas that a schema is made of, each with the property that leads to it, if one does. */
function partsOf(schema: Schema): [property: string, part: Schema][] {
  // The getter of a lazy schema makes another one at each call.
  if (schema instanceof z.core.$ZodLazy) return [['', schema._zod.innerType]]
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape)
    case 'array':
      return [['', def.element]]
    case 'tuple':
      return def.items.map((item) => ['', item])
    case 'record':
      return [['', def.valueType]]
    case 'union':
      return def.options.map((option) => ['', option])
    case 'pipe':
      return [['', def.in]]
    case 'optional':
    case 'nullable':
    case 'default':
      return [['', def.innerType]]
    default:
      return []
  }
}

/** Every record of the operations by its name (`recordNames`). Throws for one without a name and for a name of none. */
export function namedRecords(operations: readonly Operation[]): Map<string, Schema> {
  const found = new Map<Schema, string>()
  const unused = new Set(Object.keys(recordNames))
  const visit = (schema: Schema, path: string, otherwise?: string): void => {
    if (!(schema instanceof z.core.$ZodObject)) {
      for (const [property, part] of partsOf(schema))
        visit(part, property ? `${path}.${property}` : path, otherwise)
      return
    }
    const record = recordOf(schema)
    if (found.has(record)) return
    const name = recordNames[path] ?? otherwise
    if (name === undefined) throw new Error(`The record at ${path} has no name (contract/document/names.ts)`)
    if ([...found.values()].includes(name)) throw new Error(`Two records are named ${name}, one at ${path}`)
    unused.delete(path)
    found.set(record, name)
    for (const [property, part] of partsOf(record)) visit(part, `${path}.${property}`)
  }
  for (const { id, response, body } of operations) {
    const ofOperation = id.charAt(0).toUpperCase() + id.slice(1)
    visit(response, id, `${ofOperation}Response`)
    if (body) visit(body, `${id}.body`, `${ofOperation}Request`)
  }
  const [left] = unused
  if (left !== undefined) throw new Error(`contract/document/names.ts names ${left}, which is not a record`)
  return new Map([...found].map(([schema, name]) => [name, schema]))
}
