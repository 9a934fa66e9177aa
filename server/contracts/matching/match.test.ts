import { encodeAbiParameters, keccak256, stringToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CompiledContract } from './compiled.ts'
import { matchContract } from './match.ts'

// {"ipfs": 34 bytes, "solc": 0.8.30} as CBOR with its length, as compilers append it.
const auxdata = (hash: string): string => `a264697066735822${hash.repeat(34)}64736f6c634300081e0033`
const compiled = (given: {
  runtime?: Partial<CompiledContract['runtime']>
  creation?: Partial<CompiledContract['creation']>
  constructorInputs?: CompiledContract['constructorInputs']
  isOptimized?: boolean
}): CompiledContract => ({
  runtime: { object: '6001', links: {}, auxdata: [], immutables: {}, ...given.runtime },
  creation: { object: '6002', links: {}, auxdata: [], ...given.creation },
  constructorInputs: given.constructorInputs ?? [],
  isOptimized: given.isOptimized ?? false,
})
const withAuxdata = (code: string, hash: string) => ({
  object: `${code}${auxdata(hash)}`,
  auxdata: [{ offset: code.length / 2, value: auxdata(hash) }],
})

describe('the code of a contract', () => {
  test('is an exact match with the hash of the metadata, and a match with another one', () => {
    const ours = compiled({ runtime: withAuxdata('6001fe', '11') })
    expect(matchContract(ours, { runtime: `6001fe${auxdata('11')}` })).toMatchObject({
      runtime: { match: 'exact_match' },
    })
    expect(matchContract(ours, { runtime: `6001fe${auxdata('22')}` })).toMatchObject({
      runtime: { match: 'match', values: { cborAuxdata: { 1: `0x${auxdata('22')}` } } },
    })
  })

  test('does not match where anything else differs, also beside other metadata', () => {
    const ours = compiled({ runtime: withAuxdata('6001fe', '11') })
    expect(matchContract(ours, { runtime: `6003fe${auxdata('11')}` })).toBe('no_match')
    expect(matchContract(ours, { runtime: `6003fe${auxdata('22')}` })).toBe('no_match')
    // In place of the metadata may only stand metadata.
    expect(matchContract(ours, { runtime: `6001fe${'5b'.repeat(auxdata('11').length / 2)}` })).toBe(
      'no_match',
    )
  })

  test('is not an exact match without the hash of the metadata', () => {
    expect(matchContract(compiled({}), { runtime: '6001' })).toMatchObject({ runtime: { match: 'match' } })
  })

  test('has the addresses of libraries, each the same everywhere', () => {
    const id = 'a.sol:Lib'
    const placeholder = `__$${keccak256(stringToBytes(id)).slice(2, 36)}$__`
    const ours = compiled({
      runtime: {
        object: `73${placeholder}73${placeholder}`,
        links: { 'a.sol': { Lib: [1, 22].map((start) => ({ start, length: 20 })) } },
      },
    })
    const [one, other] = ['aa'.repeat(20), 'bb'.repeat(20)]
    expect(matchContract(ours, { runtime: `73${one}73${one}` })).toMatchObject({
      runtime: { values: { libraries: { [id]: `0x${one}` } } },
    })
    expect(matchContract(ours, { runtime: `73${one}73${other}` })).toBe('no_match')
  })

  test('of a library begins with its own address', () => {
    const ours = compiled({ runtime: { object: `73${'00'.repeat(20)}30146001` } })
    expect(matchContract(ours, { runtime: `73${'ab'.repeat(20)}30146001` })).toMatchObject({
      runtime: { values: { callProtection: `0x${'ab'.repeat(20)}` } },
    })
  })

  test('of 320 kB with ten thousand immutables is compared at once', () => {
    const spans = Array.from({ length: 10_000 }, (_none, index) => ({ start: index * 32, length: 32 }))
    const immutables = Object.fromEntries(spans.map((span, index) => [`${index}`, [span]]))
    const ours = compiled({ runtime: { object: '00'.repeat(320_000), immutables } })
    const theirs = spans.map((_span, index) => index.toString(16).padStart(64, '0')).join('')
    const verdict = matchContract(ours, { runtime: theirs })
    expect(verdict).toMatchObject({
      runtime: { values: { immutables: { 9999: `0x${(9_999).toString(16).padStart(64, '0')}` } } },
    })
  })

  test('does not match where one immutable would have two values', () => {
    const immutables = { 7: [0, 32].map((start) => ({ start, length: 32 })) }
    const ours = compiled({ runtime: { object: '00'.repeat(64), immutables } })
    expect(matchContract(ours, { runtime: `${'11'.repeat(32)}${'11'.repeat(32)}` })).toMatchObject({
      runtime: { match: 'match' },
    })
    expect(matchContract(ours, { runtime: `${'11'.repeat(32)}${'22'.repeat(32)}` })).toBe('no_match')
  })
})

describe('the code that created a contract', () => {
  const inputs = [{ type: 'uint256' }]
  const seven = encodeAbiParameters([{ type: 'uint256' }], [7n])

  test('ends with the arguments of the constructor', () => {
    const ours = compiled({ constructorInputs: inputs })
    expect(matchContract(ours, { runtime: '6001', creation: `6002${seven.slice(2)}` })).toMatchObject({
      creation: { match: 'match', values: { constructorArguments: seven } },
    })
  })

  test('does not match a longer one that only begins with it', () => {
    const ours = compiled({})
    const verdict = matchContract(ours, { runtime: '6001', creation: `6002${seven.slice(2)}` })
    expect(verdict).not.toHaveProperty('creation')
    const given = compiled({ constructorInputs: inputs })
    const longer = matchContract(given, { runtime: '6001', creation: `6002${seven.slice(2)}00` })
    expect(longer).not.toHaveProperty('creation')
  })
})

test('no code, other lengths and disturbing sources have reasons of their own', () => {
  expect(matchContract(compiled({ runtime: { object: '' } }), { runtime: '6001' })).toBe(
    'compiled_bytecode_is_zero',
  )
  const ours = compiled({ runtime: withAuxdata('6001fe', '11'), isOptimized: true })
  expect(matchContract(ours, { runtime: `600101fe${auxdata('22')}` })).toBe('bytecode_length_mismatch')
  expect(matchContract(ours, { runtime: `600101fe${auxdata('11')}` })).toBe('extra_file_input_bug')
})
