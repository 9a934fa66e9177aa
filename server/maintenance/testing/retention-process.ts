import { openDatabase } from '../../store/database.ts'
import { Retention } from '../retention.ts'

/** A process that drops old rows, one at a time, until it is killed. Arguments: the store, the chain and the days. */
const [databaseUrl = '', chain = '', days = ''] = process.argv.slice(2)
await new Retention({
  database: openDatabase(databaseUrl, { max: 2 }),
  chain: { evmChainId: Number(chain), keepTraces: Number(days), keepLogs: Number(days) },
  signal: new AbortController().signal,
  batch: 1,
}).round()
