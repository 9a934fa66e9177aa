import { backUp } from '../backup.ts'

/** A process that makes a backup until it is killed. Arguments: the home and the backup's folder. */
const [home = '', target = ''] = process.argv.slice(2)
process.send?.('begun')
await backUp({ home, target, version: 'test' })
process.disconnect()
