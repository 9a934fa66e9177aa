/** An object whose null fields are absent. */
type WithoutNulls<Row> = {
  [K in keyof Row as null extends Row[K] ? never : K]: Row[K]
} & { [K in keyof Row as null extends Row[K] ? K : never]?: NonNullable<Row[K]> }

/** A row without its null fields, because answers omit unknown values. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  const known = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(known) as WithoutNulls<Row>
}
