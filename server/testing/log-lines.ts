import { pino } from 'pino'
import { createLogOutput } from '../kernel/log-output.ts'

/** A process that logs more than a pipe holds, then answers; on request it exits after a fatal line. */
const logger = pino({}, createLogOutput())
process.on('message', (word) => {
  if (word === 'fill') {
    for (let line = 0; line < 10_000; line += 1) logger.info('a line of a hundred bytes '.repeat(4))
    setImmediate(() => process.send?.('alive'))
    return
  }
  logger.fatal('the last line')
  process.exit(0)
})
process.send?.('ready')
