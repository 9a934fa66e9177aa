import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** The name of the manifest in a backup's folder. It is written last, so a backup without one is not complete. */
export const manifestName = 'manifest.json'

/** The folders of a backup: PostgreSQL's data folder, and the files of the home. */
export const parts = { data: 'data', home: 'home' } as const

const file = z.strictObject({
  /** The path in the backup's folder, with `/`. */
  path: z.string().regex(/^(data|home)\/(?!.*(^|\/)\.\.?(\/|$)).+$/, 'a path inside the backup'),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const schema = z.strictObject({
  format: z.literal(1),
  /** The version of Ridgeline that made it. */
  ridgeline: z.string(),
  /** The version of PostgreSQL, such as 18.4. */
  postgres: z.string().regex(/^\d+(\.\d+)*/),
  /** Unix seconds. */
  started: z.int(),
  ended: z.int(),
  /** The positions in the write-ahead log between which the data were copied. */
  startLsn: z.string(),
  stopLsn: z.string(),
  /** The last migration of the schema. */
  schema: z.string(),
  /** Every EVM chain with a block that the backup contains; it may contain later ones. */
  chains: z.array(z.strictObject({ chain: z.int(), block: z.int() })),
  /** All folders, because PostgreSQL needs its empty ones as well; parents first. */
  folders: z.array(z.string().regex(/^data(\/(?!.*(^|\/)\.\.?(\/|$)).+)?$/)),
  files: z.array(file),
})

/** What a backup contains; see docs/operations.md. */
export type Manifest = z.infer<typeof schema>
export type BackedUpFile = z.infer<typeof file>

/** Reads the manifest of a backup. Throws with a message for the operator if there is none that can be used. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new Error(`${folder} is not a complete backup: it has no ${manifestName}`)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is damaged: ${(error as Error).message}`, { cause: error })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`${path} is damaged or of another format: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** The major version of a PostgreSQL version: 18 of "18.4". Data folders of different ones are incompatible. */
export const majorOf = (version: string): number => Number.parseInt(version, 10)
