import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { freePort, launch, temporaryFolder, type Launched } from '../e2e/support/launcher.ts'
import { sampleControl } from '../sample/testing/control.ts'

/*
 * The ledger of the sample's P- and X-Chain against `npm run verify`, which shares the byte formats and the rules of
 * rewards (protocol/) with it, but no code of its state: an input that does not exist, a sum that does not add up,
 * a reward, a supply or a validator set that does not follow from the blocks.
 */

const verify = fileURLToPath(new URL('verify.mjs', import.meta.url))
const folder = temporaryFolder()
const week = 7 * 86_400
let stack: Launched | undefined

afterAll(async () => {
  if (stack?.child.exitCode === null) await stack.stop()
  folder.remove()
})

/** The exit code and output of `npm run verify` on the home. */
function verified(): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, RIDGELINE_HOME: folder.path }
  return new Promise((resolve) => {
    execFile(process.execPath, [verify], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

test(
  'the history adds up, and so do stakes that end and renew after it',
  { timeout: 3_600_000 },
  async () => {
    const samplePort = await freePort()
    // The whole history, because a short one has few of the kinds of transactions.
    const env = { SAMPLE_PORT: samplePort, RIDGELINE_SAMPLE_ARGS: '--live off --test-controls' }
    stack = launch({ home: folder.path, env })
    await expect.poll(stack.output, { interval: 500 }).toContain('every chain is live')

    const { height } = await sampleControl(`http://127.0.0.1:${samplePort}`).advance({ seconds: week })
    const blocks = new URL('/v1/networks/fuji/blockchains/p-chain/blocks?pageSize=1', await stack.url)
    const newest = async (): Promise<number> => {
      const answer = (await (await fetch(blocks)).json()) as { blocks: { blockNumber: string }[] }
      return Number(answer.blocks[0]?.blockNumber)
    }
    await expect.poll(newest, { interval: 250 }).toBe(height)

    const { code, output } = await verified()
    expect(output).not.toContain('FAILED')
    expect(output).not.toContain('left out')
    // What real history may contain, such as another reward than the rules give, this ledger must not.
    expect(output).not.toContain("against today's rules")
    expect(output).toMatch(/[1-9]\d{3} UTXOs, [1-9]\d* validators compared/)
    expect(code).toBe(0)
  },
)
