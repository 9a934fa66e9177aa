import { openDatabase } from '../../store/database.ts'
import { fujiNetwork } from '../../testing/primary-rows.ts'
import { testConfig } from '../../testing/config.ts'
import { runWatch } from '../run.ts'

/** A process that evaluates and sends until it is killed. Arguments: the URL of the store, a host of receivers. */
const [databaseUrl = '', host = ''] = process.argv.slice(2)
const quiet = (): void => undefined
const config = testConfig({ networks: [fujiNetwork], watch: { hosts: [host], roundSeconds: 0.2 } })
process.send?.('begun')
await runWatch({
  database: openDatabase(databaseUrl, { max: 4 }),
  config: { ...config, home: '/tmp' },
  logger: { info: quiet, warn: quiet },
  signal: new AbortController().signal,
  sending: { lease: 3, idle: 20 },
})
