import { z } from 'zod'
import type { TxPlace } from '../primary/read-primary.ts'
import { nullsOf } from '../read.ts'

/** A page of a list whose filter was applied to so many rows; `horizon` is where the scan continues if it has not read everything. */
export type ScannedPage<Row, Place = TxPlace> = {
  readonly rows: readonly Row[]
  readonly horizon: Place | undefined
}

const horizon = { horizon_height: z.bigint().nullable(), horizon_index: z.number().nullable() }

/** A row of a scan beside its horizon, which a page without rows still returns. */
export const scannedRow = <Shape extends z.ZodRawShape>(row: z.ZodObject<Shape>) =>
  z.union([row.extend(horizon), nullsOf(row).extend(horizon)])

type Joined = {
  readonly height: bigint | null
  readonly horizon_height: bigint | null
  readonly horizon_index: number | null
}

/** The page that joined rows (`scannedRow`) hold. */
export function scannedPage<Row extends Joined>(joined: readonly Row[]): ScannedPage<Extract<Row, TxPlace>> {
  const [first] = joined
  return {
    rows: joined.filter((row): row is Extract<Row, TxPlace> => row.height !== null),
    horizon:
      first?.horizon_height == null || first.horizon_index === null
        ? undefined
        : { height: first.horizon_height, index: first.horizon_index },
  }
}
