import { sanitise } from '../facts/sanitise.ts'
import { expandTokenUri, readDataUri } from './token-uri.ts'

/** The stored fields of an NFT's metadata document; null for fields without a usable value. */
export type NftFields = {
  readonly name: string | null
  readonly symbol: string | null
  readonly description: string | null
  readonly image_uri: string | null
  readonly animation_uri: string | null
  readonly external_url: string | null
  readonly background: string | null
  readonly decimals: number | null
  readonly attributes: string | null
  readonly properties: string | null
}

/** `json`: the document is not JSON. `shape`: it is JSON, but does not describe an NFT. */
type MetadataFailure = 'json' | 'shape'

type MetadataOptions = {
  readonly kind: number
  readonly tokenId: bigint
  /** Host names that the operator maps, for which plain http links are kept. */
  readonly hosts: ReadonlySet<string>
}

/** Limits of stored fields in code points; for links, in characters. */
const longest = { name: 256, symbol: 32, description: 4_096, text: 1_024, link: 2_048 }
/** Maximum length of an embedded picture in characters, because it is stored with the row. */
export const longestDataImage = 131_072
/** Limits of attributes and properties: JSON characters, depth, and width. */
const structure = { longest: 16_384, deepest: 8, widest: 200 }

/**
 * Reads a metadata document (ERC-721 and ERC-1155 metadata, and the field names of marketplaces). Texts are
 * sanitised. Links are kept if they are https or ipfs; a picture may also be a `data:` image.
 */
export function readMetadata(body: Buffer, options: MetadataOptions): NftFields | MetadataFailure {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return 'json'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'shape'
  // The keys are untrusted: only own properties count, and none is written.
  const field = (...names: string[]): unknown => {
    const name = names.find((each) => Object.hasOwn(value, each) && Reflect.get(value, each) != null)
    return name === undefined ? undefined : Reflect.get(value, name)
  }
  const text = (cap: number, lines: boolean, ...names: string[]): string | null =>
    plainText(field(...names), cap, lines)
  const fields: NftFields = {
    name: text(longest.name, false, 'name', 'title'),
    symbol: text(longest.symbol, false, 'symbol'),
    description: text(longest.description, true, 'description'),
    image_uri: pictureLink(
      field('image', 'image_url', 'imageUrl', 'image_uri'),
      field('image_data'),
      options,
    ),
    animation_uri: link(field('animation_url', 'animation_uri', 'animationUrl'), options),
    external_url: link(field('external_url', 'external_link', 'externalUrl'), options),
    background: background(field('background_color', 'background', 'backgroundColor')),
    decimals: wholeNumber(field('decimals')),
    attributes: structured(field('attributes', 'traits')),
    properties: structured(field('properties')),
  }
  return Object.values(fields).every((each) => each === null) ? 'shape' : fields
}

function plainText(value: unknown, cap: number, lines: boolean): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? (sanitise(value, { longest: cap, lines }) ?? null) : null
}

function wholeNumber(given: unknown): number | null {
  const value = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : given
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255 ? Number(value) : null
}

function background(value: unknown): string | null {
  const color = typeof value === 'string' ? value.replace(/^#/, '') : ''
  return /^[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : null
}

function link(value: unknown, { kind, tokenId, hosts }: MetadataOptions): string | null {
  if (typeof value !== 'string' || value.length > longest.link) return null
  const expanded = expandTokenUri(value.trim(), kind, tokenId)
  if (!URL.canParse(expanded)) return null
  const url = new URL(expanded)
  const kept =
    url.protocol === 'https:' ||
    url.protocol === 'ipfs:' ||
    (url.protocol === 'http:' && hosts.has(url.hostname))
  if (!kept || url.username !== '' || url.password !== '') return null
  // The serialized form has neither control characters nor spaces.
  return url.href.length <= longest.link && !/[\p{C}\s]/u.test(url.href) ? url.href : null
}

function pictureLink(value: unknown, inline: unknown, options: MetadataOptions): string | null {
  if (typeof value === 'string' && /^data:/i.test(value.trim())) return dataImage(value.trim())
  const found = link(value, options)
  if (found !== null || typeof inline !== 'string') return found
  // `image_data` contains the text of an SVG, or sometimes a `data:` URI.
  if (/^\s*data:/i.test(inline)) return dataImage(inline.trim())
  if (inline.length > longestDataImage || !/<svg[\s>]/i.test(inline)) return null
  return dataImage(`data:image/svg+xml;base64,${Buffer.from(inline, 'utf8').toString('base64')}`)
}

/** An embedded picture, re-encoded so that it contains only base64. */
function dataImage(uri: string): string | null {
  if (uri.length > longestDataImage) return null
  const found = readDataUri(uri)
  if (!found || !/^image\/(png|jpe?g|gif|webp|avif|svg\+xml)$/.test(found.type)) return null
  const written = `data:${found.type};base64,${found.body.toString('base64')}`
  return written.length <= longestDataImage ? written : null
}

/** Attributes or properties as JSON text with every string sanitised; null if the limits are exceeded. */
function structured(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const kept = keep(value, 0)
  const text = kept === undefined ? '' : JSON.stringify(kept)
  return text.length > 2 && text.length <= structure.longest ? text : null
}

function keep(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitise(value, { longest: longest.text }) ?? ''
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object' || depth === structure.deepest) return undefined
  if (Array.isArray(value)) {
    return value.slice(0, structure.widest).map((each) => keep(each, depth + 1) ?? null)
  }
  // Without a prototype, `__proto__` is an ordinary key.
  const copy = Object.create(null) as Record<string, unknown>
  for (const [name, each] of Object.entries(value).slice(0, structure.widest)) {
    const cleanName = sanitise(name, { longest: 128 })
    if (cleanName !== undefined) copy[cleanName] = keep(each, depth + 1)
  }
  return copy
}
