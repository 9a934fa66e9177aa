import { join } from 'node:path'
import { afterEach, beforeEach, onTestFinished, test } from 'vitest'
import { freePort, launch, temporaryFolder, writeConfig } from '../e2e/support/launcher.ts'
import { followGuide, guided, startPhone } from '../e2e/support/watch-guide.ts'
import { startSample } from '../sample/testing/start.ts'

/*
 * The phone of docs/watch.md rings on the sample, and on Fuji, whose node is one of the same network ID. On mainnet and on
 * the local network it rings in real-node/.
 */

let folder: ReturnType<typeof temporaryFolder>
let phone: Awaited<ReturnType<typeof startPhone>>

beforeEach(async () => {
  folder = temporaryFolder()
  phone = await startPhone()
})
afterEach(() => {
  phone.stop()
  folder.remove()
})

/** A validator that does not renew itself: its stake ends. */
async function endingOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/networks/fuji/validators?validationStatus=active&pageSize=50`)
  const { validators } = (await answer.json()) as { validators: { nodeId: string; autoRenewal?: object }[] }
  return validators.find(({ autoRenewal }) => autoRenewal === undefined)?.nodeId ?? ''
}

test('on the sample: for the test, for a node that is cut off, and for a stake that ends', async () => {
  const samplePort = await freePort()
  const args = guided(/RIDGELINE_SAMPLE_ARGS=(\S+) npm start/)
  const home = join(folder.path, '.ridgeline')
  const env = { SAMPLE_PORT: samplePort, RIDGELINE_SAMPLE_ARGS: `${args} --hours 24` }
  const stack = launch({ home, env })
  onTestFinished(async () => void (await stack.stop()))
  const url = await stack.ready()
  const { type } = await followGuide(
    {
      network: 'sample',
      url,
      folder: folder.path,
      phone,
      places: { '127.0.0.1:4401': `127.0.0.1:${samplePort}` },
    },
    await endingOf(url),
  )
  await phone.rings(/Stake ends soon: alpha/)
  const control = guided(/\*\*Sample:\*\* `(.*?)`/)
  await type(control)
  await phone.rings(/Not connected: alpha/)
  await type(control.replace('false', 'true'))
  await phone.rings(/Resolved.*Not connected: alpha/)
})

test('on Fuji: for the test and for a stake that ends, once the P-Chain is read', async () => {
  const sample = await startSample({ hours: 24 })
  onTestFinished(() => sample.stop())
  const home = join(folder.path, '.ridgeline')
  const added = writeConfig(folder.path, {
    networks: [{ id: 'fuji', genesisFile: join(sample.home, 'genesis.bin') }],
    watch: { hosts: [phone.host] },
  })
  const args = guided(/npm start -- (--network fuji --node \S+)/)
    .replace('http://127.0.0.1:9650', sample.url)
    .split(' ')
  const stack = launch({ home, args: [...args, '--network-config', added] })
  onTestFinished(async () => void (await stack.stop()))
  const url = await stack.ready()
  await followGuide({ network: 'fuji', url, folder: folder.path, phone }, await endingOf(url))
  await phone.rings(/Stake ends soon: alpha/)
})
