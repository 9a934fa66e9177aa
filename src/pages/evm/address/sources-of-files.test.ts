import { expect, test } from 'vitest'
import { readSources, requestOf } from './sources-of-files.ts'

const vault = {
  name: 'Vault.sol',
  text: `// contract Commented {}
/* contract Also { } */
abstract contract Base { }
interface IVault { }
contract Vault is Base, IVault { string a = "x"; }
library Sums { }`,
}
const settings = { isOptimized: true, runs: '999', viaIR: false, evmVersion: 'cancun' }
const chosen = { compilerVersion: '0.8.30', contractIdentifier: 'Vault.sol:Vault' }

test('plain sources become the input of a compiler, with the settings of the form', () => {
  const read = readSources([vault])
  if (typeof read === 'string') throw new Error(read)
  expect(read.contracts).toEqual(['Vault.sol:Vault', 'Vault.sol:Sums'])
  expect(requestOf(read, chosen, settings)).toEqual({
    ...chosen,
    stdJsonInput: {
      language: 'Solidity',
      sources: { 'Vault.sol': { content: vault.text } },
      settings: { optimizer: { enabled: true, runs: 999 }, evmVersion: 'cancun' },
    },
  })
})

test('standard JSON input is sent as it is', () => {
  const input = {
    language: 'Solidity',
    sources: { 'src/Vault.sol': { content: vault.text } },
    settings: { optimizer: { enabled: false, runs: 1 } },
  }
  const read = readSources([{ name: 'input.json', text: JSON.stringify(input) }])
  if (typeof read === 'string') throw new Error(read)
  expect(read.contracts).toEqual(['src/Vault.sol:Vault', 'src/Vault.sol:Sums'])
  expect(requestOf(read, chosen, settings).stdJsonInput).toEqual(input)
})

test('files that are neither are refused with a reason', () => {
  expect(readSources([{ name: 'a.json', text: '{}' }])).toContain('not a standard JSON input')
  expect(readSources([{ name: 'a.json', text: 'not JSON' }])).toContain('not a standard JSON input')
  expect(readSources([{ name: 'a.json', text: '{}' }, vault])).toContain('one file')
})
