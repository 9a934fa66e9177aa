import { Socket } from 'node:net'
import { writeFileSync } from 'node:fs'
import { runJob } from './engine.ts'
import { JobFailure } from './failures.ts'
import { answerPipe, type FromEngine, type Job, type ToEngine } from './messages.ts'

// The program of one statement: the service starts it, sends a job, and ends it when nobody waits any more. It ends
// with the service.

const tell = (message: FromEngine, told: () => void = () => undefined): void => {
  process.send?.(message, undefined, undefined, told)
}

let receiveSetup: (statements: readonly string[]) => void = () => undefined

async function run(job: Job): Promise<void> {
  const answer = new Socket({ fd: answerPipe, readable: false, writable: true })
  const flushed = new Promise<void>((resolve) => answer.once('close', () => resolve()))
  answer.on('error', () => process.exit(0))
  const end = async (last: FromEngine): Promise<void> => {
    if (!answer.writableEnded) answer.end()
    // The last message is sent once all of the answer is in the pipe.
    await flushed
    tell(last, () => process.exit(0))
  }
  try {
    await runJob(job, {
      answer,
      begin: () => tell({ type: 'begin' }),
      setup: (tables) => {
        const statements = new Promise<readonly string[]>((resolve) => {
          receiveSetup = resolve
        })
        tell({ type: 'needs', tables })
        return statements
      },
    })
    await end({ type: 'done' })
  } catch (error) {
    const failure = error instanceof JobFailure ? error : new JobFailure('internal', String(error))
    await end({ type: 'failed', class: failure.class, message: failure.message })
  }
}

process.on('message', (message: ToEngine) => {
  if (message.type === 'run') void run(message.job)
  else receiveSetup(message.statements)
})
process.on('disconnect', () => process.exit(0))
try {
  // Where memory runs out, the system ends this process before any other.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Only Linux has it.
}
