import { spawn } from 'node:child_process'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { anvilBinary } from '../evm/anvil/anvil.ts'

/** The first `count` accounts of a sample network with this seed, with their keys, as anvil prints them. */
export async function sampleAccounts(seed: number, count: number): Promise<PrivateKeyAccount[]> {
  const args = ['--port', '0', '--accounts', String(count), '--mnemonic-seed-unsafe', String(seed)]
  const child = spawn(anvilBinary(), args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let said = ''
  try {
    for await (const chunk of child.stdout) {
      said += String(chunk)
      if (said.includes('Listening on')) break
    }
  } finally {
    child.kill('SIGKILL')
  }
  const keys = [...said.matchAll(/\(\d+\) (0x[0-9a-f]{64})\b/g)].map(([, key]) => key as `0x${string}`)
  if (keys.length !== count) throw new Error(`anvil printed ${keys.length} keys instead of ${count}`)
  return keys.map((key) => privateKeyToAccount(key))
}
