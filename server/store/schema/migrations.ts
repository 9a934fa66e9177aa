import { createHash } from 'node:crypto'
import { schema } from './schema.ts'

/**
 * A step of the schema. Reads go on while it is applied (migrate.ts), so `sql` holds no lock that a read waits for: it
 * creates, fills and indexes tables.
 */
export type Migration = {
  readonly name: string
  /**
   * Columns that it adds to tables of earlier migrations, each as its definition (`cum_burned numeric not null default 0`):
   * with a constant default, so that no row is rewritten. They are there before `sql`.
   */
  readonly columns?: Readonly<Record<string, readonly string[]>>
  readonly sql: string
  /** Statements for when all is committed, such as dropping an index: they take a table for an instant. */
  readonly after?: string
}

/** A digest of the schema's statements: comments may be mended without making every database anew. */
const edition = createHash('sha256')
  .update(schema.replaceAll(/^\s*--.*\n/gm, ''))
  .digest('hex')
  .slice(0, 8)

/**
 * Every migration, in order; a database keeps the names of those that it has. Until the first release there is only the
 * schema, which is edited in place: its name changes with it, so that a database of another edition is recognized. A
 * migration that has been released is never edited.
 */
export const migrations: readonly Migration[] = [{ name: `0001-schema-${edition}`, sql: schema }]
