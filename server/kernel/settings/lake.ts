import { join } from 'node:path'
import { z } from 'zod'

/** The key `lake`: whether the service writes what becomes final into the lake (docs/lake.md). */
export const lakeSchema = z.strictObject({
  seal: z.boolean().default(false),
  /** Where it is sealed to, if not into the folder of the lake: S3-compatible storage. */
  storage: z
    .string()
    .regex(/^s3:\/\/[^/]+/, 's3://BUCKET/PREFIX')
    .optional(),
  /** Blocks per range; the same for all of a lake. */
  rangeSize: z.int().min(1).max(1_000_000).default(10_000),
})

/** The folder of the lake, which need not exist. */
export const lakeFolderOf = ({
  lakeFolder,
  home,
}: {
  readonly lakeFolder?: string | undefined
  readonly home: string
}) => lakeFolder ?? join(home, 'lake')
