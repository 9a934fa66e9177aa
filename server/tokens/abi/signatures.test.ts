import { parseAbiItem, toEventSignature, toFunctionSignature, type AbiEvent, type AbiFunction } from 'viem'
import { expect, test } from 'vitest'
import type { AbiError } from '../../kernel/settings/abi-file.ts'
import { errorsOf, errorSignature, eventsOf, functionsOf } from './known.ts'
import { knownSignatures, signatureGroups } from './signatures.ts'

test('every signature is listed once, with its source', () => {
  const canonical = knownSignatures.map((text) => {
    const item = parseAbiItem([text]) as AbiFunction | AbiEvent | AbiError
    if (item.type === 'function') return toFunctionSignature(item)
    if (item.type === 'error') return `error ${errorSignature(item)}`
    return `${toEventSignature(item)} ${item.inputs.map(({ indexed }) => (indexed === true ? 'indexed' : '')).join()}`
  })
  expect(new Set(canonical).size).toBe(canonical.length)
  expect(canonical.length).toBeGreaterThan(500)
  for (const { source, licence, signatures } of signatureGroups) {
    expect(
      [source, licence].every((text) => text.length > 2),
      source,
    ).toBe(true)
    expect(signatures.length, source).toBeGreaterThan(0)
  }
})

// Selectors and topics that explorers show for the deployed contracts.
test.each([
  ['0x414bf389', 'exactInputSingle('],
  ['0x04e45aaf', 'exactInputSingle('],
  ['0x88316456', 'mint('],
  ['0x24856bc3', 'execute(bytes,bytes[])'],
  ['0x3593564c', 'execute(bytes,bytes[],uint256)'],
  ['0x6a761202', 'execTransaction('],
  ['0x1fad948c', 'handleOps('],
  ['0x765e827f', 'handleOps('],
  ['0xfb0f3ee1', 'fulfillBasicOrder('],
  ['0x00000000', 'fulfillBasicOrder_efficient_6GL6yc('],
  ['0x2b67b570', 'permit('],
  ['0x30f28b7a', 'permitTransferFrom('],
  ['0x617ba037', 'supply('],
  ['0xa415bcad', 'borrow('],
  ['0x1f931c1c', 'diamondCut('],
  ['0x12aa3caf', 'swap('],
  ['0x52bbbe29', 'swap('],
  ['0x415565b0', 'transformERC20('],
  ['0x6fd3504e', 'depositForBurn('],
  ['0x62448850', 'sendCrossChainMessage('],
  ['0xccb5f809', 'receiveCrossChainMessage('],
  ['0xc7c7f5b3', 'send('],
  ['0x0f5287b0', 'transferTokens('],
  ['0xe3ee160e', 'transferWithAuthorization('],
  ['0x7d5e81e2', 'propose('],
])('%s is %s…)', (selector, beginning) => {
  expect(functionsOf(selector)[0]?.signature.startsWith(beginning)).toBe(true)
})

test.each([
  ['0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67', 'Swap('],
  ['0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822', 'Swap('],
  ['0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde', 'Mint('],
  ['0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31', 'OrderFulfilled('],
  ['0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f', 'UserOperationEvent('],
  ['0x2b627736bca15cd5381dcf80b0bf11fd197d01a037c52b927a881a10fb73ba61', 'Supply('],
  ['0x2fa9ca894982930190727e75500a97d8dc500233a5065e0f3126c48fbe0343c0', 'DepositForBurn('],
  ['0x6eb224fb001ed210e379b335e35efe88672a8ce935d981a6896b27ffdf52a3b2', 'LogMessagePublished('],
  ['0x2a211ad4a59ab9d003852404f9c57c690704ee755f3c79d2c2812ad32da99df8', 'SendCrossChainMessage('],
  ['0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e', 'ExecutionSuccess('],
  ['0x85496b760a4b7f8d66384b9df21b381f5d1b1e79f229a47aaf4c232edc2fe59a', 'OFTSent('],
])('%s is %s…)', (topic, beginning) => {
  expect(eventsOf(topic)[0]?.signature.startsWith(beginning)).toBe(true)
})

test.each([
  ['0x08c379a0', 'Error(string)'],
  ['0x4e487b71', 'Panic(uint256)'],
  ['0xfb8f41b2', 'ERC20InsufficientAllowance(address,uint256,uint256)'],
  ['0xe450d38c', 'ERC20InsufficientBalance(address,uint256,uint256)'],
  ['0x7e273289', 'ERC721NonexistentToken(uint256)'],
  ['0x118cdaa7', 'OwnableUnauthorizedAccount(address)'],
  ['0xe2517d3f', 'AccessControlUnauthorizedAccount(address,bytes32)'],
  ['0xd93c0665', 'EnforcedPause()'],
  ['0x3ee5aeb5', 'ReentrancyGuardReentrantCall()'],
  ['0x5274afe7', 'SafeERC20FailedOperation(address)'],
  ['0xf92ee8a9', 'InvalidInitialization()'],
  ['0x9996b315', 'AddressEmptyCode(address)'],
  ['0x220266b6', 'FailedOp(uint256,string)'],
  ['0x39d35496', 'V3TooLittleReceived()'],
])('%s is the error %s', (selector, signature) => {
  expect(errorsOf(selector).map((known) => known.signature)).toEqual([signature])
})
