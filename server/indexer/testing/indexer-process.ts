import { openDatabase } from '../../store/database.ts'
import { runIndexers } from '../run.ts'
import { chainConfig, testPace } from './harness.ts'

/**
 * A process that indexes one chain until it is killed. Arguments: the URLs of the store and the node, the
 * chain and the reorg limit.
 */
const [databaseUrl = '', rpcUrl = '', chain = '', reorgLimit = ''] = process.argv.slice(2)
const quiet = () => undefined
process.send?.('begun')
await runIndexers({
  database: openDatabase(databaseUrl, { max: 4 }),
  config: { chains: [chainConfig({ evmChainId: Number(chain), rpcUrl, reorgLimit: Number(reorgLimit) })] },
  logger: { info: quiet, warn: quiet, error: quiet },
  signal: new AbortController().signal,
  pace: testPace,
})
