import { z } from 'zod'

/** Where a field lies in an answer: names, with `[]` for each item of a list. */
type Path = readonly string[]

/** The schema inside of optional, nullable and default ones. */
function innerOf(schema: unknown): unknown {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap()
  }
  return inner
}

/** Where an answer has fields that `alwaysSent` of the contract names. */
export function sentFields(schema: unknown, path: Path = []): Path[] {
  const inner = innerOf(schema)
  if (inner instanceof z.ZodArray) return sentFields(inner.element, [...path, '[]'])
  if (!(inner instanceof z.ZodObject)) return []
  return Object.entries<unknown>(inner.shape).flatMap(([name, field]) => {
    const own = [...path, name]
    const isSent = field instanceof z.ZodType && field.meta()?.['alwaysSent'] === true
    return [...(isSent ? [own] : []), ...sentFields(field, own)]
  })
}

/** Which of the fields an answer lacks, where it has what they belong to. */
export function lackedFields(answer: unknown, paths: readonly Path[]): string[] {
  return paths.filter((path) => lacks(answer, path, 0)).map((path) => path.join('.'))
}

function lacks(value: unknown, path: Path, depth: number): boolean {
  const step = path[depth]
  if (step === undefined) return value === undefined
  if (step === '[]') return Array.isArray(value) && value.some((item) => lacks(item, path, depth + 1))
  if (typeof value !== 'object' || value === null) return false
  return lacks((value as Record<string, unknown>)[step], path, depth + 1)
}
