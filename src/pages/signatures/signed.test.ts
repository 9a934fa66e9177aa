import { expect, test } from 'vitest'
import { signersIn } from './signed.ts'

/** Signed messages of a real node (avalanchego 1.14): signed by five of six validators, and by five of five. */
const recorded = {
  evm: [
    '000000003039ee488204088eaba3d3c0c5e26d7a2892677f8d6181ef31848708b4e55ead766700000035000000000001',
    '000000148db97c7cece249c2b98bdc0226cc4c2a57bf52fc0000001368656c6c6f203137393532343639393436353600',
    '0000000000000137b24ace43a56782f6635cbb368b2e27c6bc8d4a2a30986add11daeea6b7340d63540bd9e4182bd162',
    '10920ba7a3f7ea0418f10e098ef80b293a6c704c4d2388e4787476e19f4c383d804d7fb7c656b2a75cfd40f8fef09ee8',
    '0d45cf0a4a9e914a',
  ].join(''),
  pChain: [
    '000000003039000000000000000000000000000000000000000000000000000000000000000000000034000000000001',
    '0000000000000026000000000000f070d9b4908f37ecd71da0583aef6c8daa5bc781a7b2a00d438520f03ab5e8c10000',
    '00000000000137aab0b0e13d44565dd70a8908cc452dca996409bfba3973482e61bb2c475a158897d96d3d000fca6d44',
    'b4deab2fd4f845080fd6155f5f49a9c093a157e43ae9d8fcf2b266450669746af3156361e27aa3c04e424721dae3bd16',
    'b36e779f95fb24',
  ].join(''),
}

test('reads the signers of recorded messages from their bit sets', () => {
  expect(signersIn(recorded.evm)).toEqual([0, 1, 2, 4, 5])
  expect(signersIn(`0x${recorded.pChain.toUpperCase()}`)).toEqual([0, 1, 2, 4, 5])
})

test('reads a bit set of two bytes as a big-endian number', () => {
  const [head, tail] = [recorded.evm.slice(0, -202), recorded.evm.slice(-192)]
  expect(signersIn(`${head}000000020180${tail}`)).toEqual([7, 8])
})

test('returns undefined for other bytes', () => {
  for (const text of ['', '0x', 'zz', 'abc', recorded.evm.slice(0, -2), `${recorded.evm}00`, '00'.repeat(64)])
    expect(signersIn(text), text.slice(0, 20)).toBeUndefined()
})
