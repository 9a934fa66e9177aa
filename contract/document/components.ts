import * as z from 'zod/mini'
import type { Operation } from '../base/operation.ts'
import { fieldDescriptions } from './descriptions.ts'
import { namedRecords, recordOf } from './schemas.ts'
import { serviceRecords } from './service-records.ts'
import { wireFormat } from './wire.ts'

type Json = Record<string, unknown>

/** A reference to the schema of an answer or a body. */
export type RefTo = (schema: z.core.$ZodType) => Json

/** The schemas of every record of the operations by name, each field described, and a function that refers to one. */
export function componentsOf(operations: readonly Operation[]): {
  schemas: Record<string, Json>
  refTo: RefTo
} {
  const registry = z.registry<{ id: string }>()
  for (const [id, record] of namedRecords(operations)) registry.add(record, { id })
  for (const [id, record] of Object.entries(serviceRecords)) registry.add(recordOf(record), { id })
  const uri = (id: string): string => `#/components/schemas/${id}`
  const { schemas } = z.toJSONSchema(registry, { ...wireFormat, uri }) as { schemas: Record<string, Json> }
  for (const [name, schema] of Object.entries(schemas)) {
    delete schema['$schema']
    delete schema['$id']
    const fields = (schema['properties'] ?? {}) as Record<string, Json>
    for (const [field, json] of Object.entries(fields))
      json['description'] ??= fieldDescriptions[`${name}.${field}`] ?? fieldDescriptions[field]
  }
  return { schemas, refTo: (schema) => ({ $ref: uri(registry.get(recordOf(schema))?.id ?? '') }) }
}
