import { z } from 'zod'

/** The path of a field in an answer: names, with `[]` for each item of a list. */
type Path = readonly string[]

/** The schema within optional, nullable and default ones. */
function innerOf(schema: unknown): unknown {
  let inner = schema
  while (
    inner instanceof z.core.$ZodOptional ||
    inner instanceof z.core.$ZodNullable ||
    inner instanceof z.core.$ZodDefault
  ) {
    inner = inner._zod.def.innerType
  }
  return inner
}

/** The paths of the fields that the contract's `alwaysSent` names. */
export function sentFields(schema: unknown, path: Path = []): Path[] {
  const inner = innerOf(schema)
  if (inner instanceof z.core.$ZodArray) return sentFields(inner._zod.def.element, [...path, '[]'])
  if (!(inner instanceof z.core.$ZodObject)) return []
  return Object.entries<unknown>(inner._zod.def.shape).flatMap(([name, field]) => {
    const own = [...path, name]
    const isSent = field instanceof z.core.$ZodType && z.globalRegistry.get(field)?.['alwaysSent'] === true
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
