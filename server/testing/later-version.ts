import { openDatabase } from '../store/database.ts'
import { migrate } from '../store/schema/migrate.ts'
import { migrations } from '../store/schema/migrations.ts'
import { schema } from '../store/schema/schema.ts'
import { statementsOf } from '../store/statements.ts'

/**
 * A process that upgrades the store of DATABASE_URL to a made-up later version, whose migration makes the table of progress.
 * Used by scripts/test-citus.mjs, which drops that table before.
 */
const table = statementsOf(schema).find((statement) => statement.includes('create table sync_progress'))
const database = openDatabase(process.env['DATABASE_URL'] ?? '', { max: 2 })
await migrate(database, [...migrations, { name: '9999-later', sql: table ?? '' }])
await database.end()
