import { openDatabase } from '../../../store/database.ts'
import { testPace } from '../../testing/harness.ts'
import { runPrimaryIndexers } from '../networks.ts'
import { localNetwork } from './local-network.ts'

/**
 * A process that indexes one network until it is killed. Arguments: the URLs of the store and of the node.
 */
const [databaseUrl = '', nodeUrl = ''] = process.argv.slice(2)
const quiet = () => undefined
process.send?.('begun')
await runPrimaryIndexers({
  database: openDatabase(databaseUrl, { max: 4 }),
  ...localNetwork(nodeUrl, true),
  logger: { info: quiet, warn: quiet, error: quiet },
  signal: new AbortController().signal,
  pace: testPace,
})
