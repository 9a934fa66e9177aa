import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cb58, hexText, idOfText, nodeIdText } from '../../protocol/ids/text.ts'
import { decodePGenesis, type PGenesis } from '../../protocol/primary/genesis.ts'
import checkpoints from './genesis/checkpoints.json' with { type: 'json' }
import { publicGenesis } from './public-genesis.ts'

/** What the released module says (scripts/genesis/main.go). Amounts may exceed what a JavaScript number has exactly. */
type Facts = {
  Hash: string
  Supply: string
  Time: string
  Utxos: { Amount: string; Locktime: string; Threshold: string; Addresses: string[] }[] | null
  Validators: { NodeID: string; Weight: string; Start: string; End: string; Shares: string; TxID: string }[]
  Chains: { TxID: string; Name: string; SubnetID: string; VmID: string }[]
  Checkpoints: Record<string, string[]>
}

const hasGo = spawnSync('go', ['version']).status === 0

let folder = ''
let facts: Record<'mainnet' | 'fuji', Facts>

beforeAll(async () => {
  if (!hasGo) return
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-genesis-'))
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'genesis', '--', folder], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    maxBuffer: 64 * 1_048_576,
  })
  facts = JSON.parse(stdout.replaceAll(/:(\d+)/g, ':"$1"')) as typeof facts
})
afterAll(async () => {
  if (hasGo) await rm(folder, { recursive: true, force: true })
})

describe.skipIf(!hasGo).each(['mainnet', 'fuji'] as const)('the genesis of %s that is built in', (name) => {
  test('has the bytes, allocations, validators and chains of the released module', async () => {
    const expected = facts[name]
    const bytes = publicGenesis(idOfText(expected.Hash)) ?? new Uint8Array()
    expect(Buffer.compare(bytes, await readFile(join(folder, `${name}.bin`)))).toBe(0)
    expect(readFacts(decodePGenesis(bytes))).toEqual({
      Supply: expected.Supply,
      Time: expected.Time,
      Utxos: expected.Utxos ?? [],
      Validators: expected.Validators,
      Chains: expected.Chains,
    })
  })

  test('has the checkpoints of the released module', () => {
    expect(checkpoints[name]).toEqual(facts[name].Checkpoints)
    for (const ids of Object.values(checkpoints[name])) expect(new Set(ids).size).toBe(99)
  })
})

function readFacts({
  supply,
  time,
  utxos,
  validators,
  chains,
}: PGenesis): Omit<Facts, 'Hash' | 'Checkpoints'> {
  return {
    Supply: `${supply}`,
    Time: `${time}`,
    Utxos: utxos.map(({ utxo: { output } }) => {
      if (output.type !== 'TRANSFER') throw new Error('an allocation is an amount')
      return {
        Amount: `${output.amount}`,
        Locktime: `${output.stakeableLocktime}`,
        Threshold: `${output.owner.threshold}`,
        Addresses: output.owner.addresses.map((address) => hexText(address).replace(/^0x/, '')),
      }
    }),
    Validators: validators.map(({ id, unsigned }) => {
      if (unsigned.type !== 'AddValidatorTx') throw new Error('a first validator is an AddValidatorTx')
      const { nodeId, weight, start, end } = unsigned.terms
      return {
        NodeID: nodeIdText(nodeId),
        Weight: `${weight}`,
        Start: `${start}`,
        End: `${end}`,
        Shares: `${unsigned.shares}`,
        TxID: cb58(id),
      }
    }),
    Chains: chains.map(({ id, unsigned }) => {
      if (unsigned.type !== 'CreateChainTx') throw new Error('a first chain is a CreateChainTx')
      const { chainName, subnetId, vmId } = unsigned
      return { TxID: cb58(id), Name: chainName, SubnetID: cb58(subnetId), VmID: cb58(vmId) }
    }),
  }
}
