import { Socket } from 'node:net'
import { writeFileSync } from 'node:fs'
import { runJob, type Host } from './engine.ts'
import { runExportJob } from './export-job.ts'
import { JobFailure } from './failures.ts'
import { answerPipe, type ExportPart, type FromEngine, type Setup, type ToEngine } from './messages.ts'

// The program of one statement or export: the service starts it, sends a job, and ends it when nobody waits any more. It ends
// with the service.

const tell = (message: FromEngine, told: () => void = () => undefined): void => {
  process.send?.(message, undefined, undefined, told)
}

let receiveSetup: (setup: Setup) => void = () => undefined
let receivePart: (part: ExportPart | undefined) => void = () => undefined
let receiveSent: () => void = () => undefined

async function run(work: (host: Pick<Host, 'answer' | 'begin'>) => Promise<void>): Promise<void> {
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
    await work({ answer, begin: () => tell({ type: 'begin' }) })
    await end({ type: 'done' })
  } catch (error) {
    const failure = error instanceof JobFailure ? error : new JobFailure('internal', String(error))
    await end({ type: 'failed', class: failure.class, message: failure.message })
  }
}

const setup = (tables: readonly string[]): Promise<Setup> => {
  const received = new Promise<Setup>((resolve) => {
    receiveSetup = resolve
  })
  tell({ type: 'needs', tables })
  return received
}

const nextPart = (): Promise<ExportPart | undefined> => {
  const part = new Promise<ExportPart | undefined>((resolve) => {
    receivePart = resolve
  })
  tell({ type: 'next' })
  return part
}

const send = (file: string): Promise<void> => {
  const sent = new Promise<void>((resolve) => {
    receiveSent = resolve
  })
  tell({ type: 'file', file })
  return sent
}

process.on('message', (message: ToEngine) => {
  switch (message.type) {
    case 'run':
      void run((host) => runJob(message.job, { ...host, setup }))
      break
    case 'setup':
      receiveSetup(message)
      break
    case 'export':
      void run(() => runExportJob(message.job, { nextPart, send, working: () => tell({ type: 'working' }) }))
      break
    case 'part':
      receivePart(message.part)
      break
    case 'sent':
      receiveSent()
      break
  }
})
process.on('disconnect', () => process.exit(0))
try {
  // Where memory runs out, the system ends this process before any other.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Only Linux has it.
}
