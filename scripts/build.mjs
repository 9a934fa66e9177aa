// npm run build: the dashboard, the programs, and the types of the client, into dist/.
import { ensureBuilt, ensureInstalled, fail, runBinary } from './support/bootstrap.mjs'

ensureInstalled()
await ensureBuilt()
const code = await runBinary('typescript', 'tsc', ['-p', 'tsconfig.client.json'])
if (code !== 0) fail('the types of the client could not be written', code)
