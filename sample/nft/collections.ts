import { ipfsFolder, sampleHost } from './links.ts'
import type { PictureKind } from './pictures.ts'

/** The metadata at a path of the sample's content. */
type Metadata = {
  readonly name: string
  readonly description: string
  readonly image: string
  readonly external_url?: string
  readonly attributes: readonly { readonly trait_type: string; readonly value: string | number }[]
}

type Collection = {
  readonly kind: PictureKind
  readonly description: string
  /** Names of the items of an ERC-1155 collection; an ERC-721 collection has a title instead. */
  readonly items?: readonly string[]
  readonly title?: string
}

/** The collections below `ipfs://sample/`, by folder. */
const collections = new Map<string, Collection>(
  Object.entries({
    skyline: { kind: 'skyline', title: 'Skyline', description: 'A print of a town that was never built.' },
    marmots: { kind: 'marmots', title: 'Marmot', description: 'Whistles when it sees you.' },
    heroes: { kind: 'heroes', title: 'Hero', description: 'The arms of a hero of Meridian.' },
    gear: {
      kind: 'gear',
      items: ['Rope', 'Lantern', 'Compass', 'Tent', 'Flask', 'Ice axe'],
      description: 'Something to take along on the trail.',
    },
    armoury: {
      kind: 'armoury',
      items: ['Sword', 'Shield', 'Bow', 'Helmet', 'Potion', 'Banner'],
      description: 'Kept in the armoury of Meridian.',
    },
  }),
)

const maxNumber = 1_000_000
const tones = ['dawn', 'noon', 'dusk', 'night'] as const

function numberOf(name: string): number | undefined {
  // ERC-1155 writes an id as 64 hex digits; ERC-721 leaves the format to the contract, here decimal.
  const value = /^[0-9a-f]{64}$/.test(name)
    ? BigInt(`0x${name}`)
    : /^[1-9]\d{0,9}$/.test(name)
      ? BigInt(name)
      : 0n
  return value > 0n && value <= BigInt(maxNumber) ? Number(value) : undefined
}

function describe(name: string, description: string, number: number, image: string): Metadata {
  const tone = tones[number % tones.length] ?? 'dawn'
  return {
    name,
    description,
    image,
    attributes: [
      { trait_type: 'Tone', value: tone },
      { trait_type: 'Number', value: number },
    ],
  }
}

/** Identifies a picture of the content. */
type PictureOf = {
  readonly kind: PictureKind
  readonly number: number
}

/** The content at a path of the gateway (below `/ipfs/`): metadata, a picture, or undefined. */
export function contentAt(path: string): Metadata | PictureOf | undefined {
  const [folder = '', second = '', third, ...more] = path.split('/')
  if (more.length > 0) return undefined
  const [file, collection] =
    folder === 'sample' ? [third ?? '', collections.get(second)] : ([second, undefined] as const)
  const found = /^([0-9a-f]{64}|\d{1,10})\.(json|svg)$/.exec(file)
  const number = numberOf(found?.[1] ?? '')
  if (found === null || number === undefined) return undefined
  if (folder === ipfsFolder && third === undefined) {
    if (found[2] === 'svg') return { kind: 'prints', number }
    return describe(
      `Print ${number}`,
      'Kept under the name of its own content.',
      number,
      `ipfs://${ipfsFolder}/${number}.svg`,
    )
  }
  if (collection === undefined) return undefined
  const { kind, items, title = '', description } = collection
  if (found[2] === 'svg') return { kind, number }
  const name = items === undefined ? `${title} ${number}` : items[number - 1]
  if (name === undefined) return undefined
  return describe(name, description, number, `ipfs://sample/${second}/${number}.svg`)
}

/** The metadata of a valid page of the sample's web site. */
export function goodMetadata(number: number): Metadata {
  const image = `http://${sampleHost}/nft/picture/${number}.${number % 3 === 0 ? 'png' : 'svg'}`
  return {
    ...describe(`Web print ${number}`, 'Served by the sample network itself.', number, image),
    external_url: `https://${sampleHost}/prints/${number}`,
  }
}

/** The metadata of an ERC-1155 id, which the URI contains as 64 hex digits. */
export function relicMetadata(id: string): Metadata | undefined {
  if (!/^[0-9a-f]{64}$/.test(id)) return undefined
  const number = numberOf(id)
  const image = `http://${sampleHost}/nft/picture/${number ?? 999}.png`
  return describe(
    number === undefined ? 'The last relic' : `Relic ${number}`,
    'Old, and older than it looks.',
    number ?? 0,
    image,
  )
}
