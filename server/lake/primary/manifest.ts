import { publish } from '../../kernel/durable-files.ts'
import { makeWorkFolder } from '../work-folders.ts'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { decodePGenesis, type PGenesis } from '../../../protocol/primary/genesis.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import { FatalError } from '../../kernel/errors.ts'
import { fileSchema, height, type BlockRange } from '../manifest.ts'
import { readManifestAs } from '../ranges.ts'
import { lakeSchemaVersion } from '../tables.ts'
import { layoutOf, type PrimaryLakeChain } from './tables.ts'

const id = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,60}$/)
const digits = z.string().regex(/^\d{1,20}$/)
/** Unix seconds of an upgrade; null if it was not active at the end of the range. */
const activation = height.nullable()

/** The constants of a network, without which the rules can't be applied again. */
const constants = z.strictObject({
  networkId: height,
  /** Of addresses. */
  prefix: z.string(),
  xId: id,
  cId: id,
  avaxAsset: id,
  upgrades: z.strictObject({
    cortina: activation,
    durango: activation,
    etna: activation,
    helicon: activation,
  }),
  l1Fees: z.strictObject({ target: digits, minPrice: digits, conversion: digits }),
})

const schemaOf = (chainAlias: PrimaryLakeChain) =>
  z.strictObject({
    schemaVersion: z.literal(lakeSchemaVersion),
    engine: z.string(),
    chain: z.literal(chainAlias),
    from: height,
    to: height,
    /** The id of block 0. */
    genesis: id,
    /** The SHA-256 of the network's genesis, which is in `genesis.bin` beside the tables. */
    genesisBytes: z.string().regex(/^[0-9a-f]{64}$/),
    constants,
    /** Whether the node had its index: the source of proposers and vertices. */
    indexed: z.boolean(),
    first: z.strictObject({ id, parentId: id, ts: height }),
    last: z.strictObject({ id, ts: height }),
    files: z.strictObject(
      Object.fromEntries(Object.keys(layoutOf(chainAlias)).map((table) => [table, fileSchema])),
    ),
  })

const schemas = { P: schemaOf('P'), X: schemaOf('X') } as const
/** What a range of the P- or the X-Chain holds; like those of EVM chains it names neither worker nor time. */
export type PrimaryManifest = z.infer<(typeof schemas)[PrimaryLakeChain]>
export type Constants = z.infer<typeof constants>

/** The manifest of a range. Throws FatalError if it is not one of this version's. */
export const readPrimaryManifest = (
  root: string,
  chainAlias: PrimaryLakeChain,
  range: BlockRange,
): Promise<PrimaryManifest> => readManifestAs(root, chainAlias, range, schemas[chainAlias])

/** The genesis of a network: its bytes, and what they say. */
export type GenesisBytes = {
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly genesis: PGenesis
}

/** Decodes genesis bytes. Throws FatalError for other bytes. */
export function genesisOf(bytes: Uint8Array): GenesisBytes {
  try {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { bytes, sha256, genesis: decodePGenesis(bytes) }
  } catch (error) {
    if (error instanceof CodecError) throw new FatalError(`the genesis cannot be read: ${error.message}`)
    throw error
  }
}

const genesisFile = (root: string, chainAlias: PrimaryLakeChain): string =>
  join(root, chainAlias, 'genesis.bin')

/** The genesis that a lake has; undefined if it has none yet. */
export async function storedGenesis(
  root: string,
  chainAlias: PrimaryLakeChain,
): Promise<GenesisBytes | undefined> {
  const path = genesisFile(root, chainAlias)
  return existsSync(path) ? genesisOf(await readFile(path)) : undefined
}

/** Writes the genesis into a lake that has none. */
export async function storeGenesis(
  root: string,
  chainAlias: PrimaryLakeChain,
  { bytes }: GenesisBytes,
): Promise<void> {
  const folder = await makeWorkFolder(root, chainAlias, 'genesis')
  const draft = join(folder, 'genesis.bin')
  await writeFile(draft, bytes, { flush: true })
  await publish(draft, genesisFile(root, chainAlias))
  await rmdir(folder)
}
