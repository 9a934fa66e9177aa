import { parseLossless } from '../../../../contract/base/json.ts'
import { safeText } from '../../../lib/text.ts'

type Attribute = { name: string; value: string }

const max = 100

function text(value: unknown): string {
  if (typeof value === 'string') return safeText(value, 120)
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value)
  return value == null ? '' : safeText(JSON.stringify(value) ?? '', 120)
}

/**
 * The attributes of an NFT's metadata: a list of `{trait_type, value}`, or one object of names and values.
 * At most 100 of them; undefined for text that is neither.
 */
export function attributesOf(json: string): Attribute[] | undefined {
  let content: unknown
  try {
    content = parseLossless(json)
  } catch {
    return undefined
  }
  if (Array.isArray(content)) {
    const rows: Attribute[] = []
    for (const item of content.slice(0, max) as unknown[]) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
      const fields = new Map(Object.entries(item))
      rows.push({
        name: text(fields.get('trait_type') ?? fields.get('name') ?? fields.get('display_type')),
        value: text(fields.get('value')),
      })
    }
    return rows
  }
  if (typeof content !== 'object' || content === null) return undefined
  return Object.entries(content)
    .slice(0, max)
    .map(([name, value]) => ({ name: safeText(name, 60), value: text(value) }))
}
