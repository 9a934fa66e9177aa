// npm run build: the dashboard and the programs, into dist/.
import { ensureBuilt, ensureInstalled } from './support/bootstrap.mjs'

ensureInstalled()
await ensureBuilt()
