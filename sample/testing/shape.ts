const hex = /^0x[0-9a-f]*$/
const id = /^[1-9A-HJ-NP-Za-km-z]{36,53}$/
const sampleNodeId = /^NodeID-[1-9A-HJ-NP-Za-km-z]{30,36}$/
const address = /^[PXC]-[a-z]+1[02-9ac-hj-np-z]{38}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function kindOf(text: string): string {
  if (/^\d+$/.test(text)) return 'numeral'
  if (/^\d+\.\d{4}$/.test(text)) return 'percent'
  if (hex.test(text)) return 'hex'
  if (id.test(text)) return 'id'
  if (sampleNodeId.test(text)) return 'node id'
  if (address.test(text)) return 'address'
  return time.test(text) ? 'time' : 'text'
}

/** Whether members are named by ids: their values have one shape, and their number does not matter. */
function isById(entries: readonly (readonly [string, unknown])[]): boolean {
  return entries.every(([name]) => id.test(name) || sampleNodeId.test(name))
}

/**
 * The differences in shape between `found` and `wanted`: in members, kinds of values and kinds of text (numbers, hex,
 * ids, addresses, times). Each item of a list must match one of the wanted items; an empty list on either side matches
 * any list. `optional` members may be missing or null on either side.
 */
export function shapeFaults(
  found: unknown,
  wanted: unknown,
  optional: ReadonlySet<string> = new Set(),
  at = '$',
): readonly string[] {
  if (Array.isArray(wanted) && Array.isArray(found)) {
    const models: readonly unknown[] = wanted
    if (models.length === 0) return []
    return (found as readonly unknown[]).flatMap((item, index) => {
      const faults = models.map((model) => shapeFaults(item, model, optional, `${at}[${index}]`))
      return faults.some((each) => each.length === 0) ? [] : (faults[0] ?? [])
    })
  }
  if (isRecord(wanted) && isRecord(found)) {
    const [entries, models] = [Object.entries(found), Object.entries(wanted)]
    if (models.length > 0 && isById(models)) {
      const model = models[0]?.[1]
      if (!isById(entries)) return [`${at} has members that are not ids`]
      return entries.flatMap(([name, value]) => shapeFaults(value, model, optional, `${at}.${name}`))
    }
    const names = new Set([...Object.keys(found), ...Object.keys(wanted)])
    return [...names].flatMap((name) => {
      if (optional.has(name) && (found[name] === null || wanted[name] === null)) return []
      const isMissing = !(name in found) || !(name in wanted)
      if (isMissing)
        return optional.has(name) ? [] : [`${at}.${name} is ${name in found ? 'new' : 'missing'}`]
      return shapeFaults(found[name], wanted[name], optional, `${at}.${name}`)
    })
  }
  const kinds = [found, wanted].map((value) => {
    if (typeof value === 'string') return kindOf(value)
    if (value === null) return 'null'
    return Array.isArray(value) ? 'list' : typeof value
  })
  return kinds[0] === kinds[1] ? [] : [`${at} is ${kinds[0]}, not ${kinds[1]}`]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
