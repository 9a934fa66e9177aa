import { utils } from '@avalabs/avalanchejs'
import { createHash } from 'node:crypto'
import { fromRlp, keccak256, toRlp, type Hex } from 'viem'
import { expect, vi } from 'vitest'
import { listPrimaryBlocks } from '../../contract/primary/blocks.ts'
import type { ContractReader } from '../stack/contract-reader.ts'
import { ask, bytesOf, idOf, type ChainAlias } from '../stack/node.ts'

/** The type of the wrapper around a proposal's child: it has only a parent and a block. */
const optionWrapper = 1

/** The proposer in a container of the index, parsed by hand: the certificate identifies the node. */
function proposalOf({ id, bytes }: { readonly id: string; readonly bytes: string }) {
  const wrapper = bytesOf(bytes)
  const type = wrapper.readUInt32BE(2)
  const proposerParentId = utils.base58check.encode(wrapper.subarray(6, 38))
  if (type === optionWrapper) {
    const block = wrapper.subarray(42, 42 + wrapper.readUInt32BE(38))
    return { block, proposer: { proposerId: id, proposerParentId } }
  }
  const certificate = wrapper.subarray(58, 58 + wrapper.readUInt32BE(54))
  const blockAt = 58 + certificate.length
  const block = wrapper.subarray(blockAt + 4, blockAt + 4 + wrapper.readUInt32BE(blockAt))
  const node = createHash('ripemd160').update(createHash('sha256').update(certificate).digest()).digest()
  const proposer = {
    proposerId: id,
    proposerParentId,
    proposerTimestamp: Number(wrapper.readBigInt64BE(38)),
    proposerPChainHeight: Number(wrapper.readBigUInt64BE(46)),
    ...(certificate.length > 0 && { proposerNodeId: `NodeID-${utils.base58check.encode(node)}` }),
  }
  return { block, proposer }
}

/** Compares the proposers of a chain's blocks with the node's index. */
export async function compareProposers(
  nodeUrl: string,
  service: ContractReader,
  chain: ChainAlias,
): Promise<void> {
  const { containers } = await ask<{ containers: { id: string; bytes: string }[] }>(
    `${nodeUrl}/ext/index/${chain}/block`,
    'index.getContainerRange',
    { startIndex: 0, numToFetch: 1024, encoding: 'hex' },
  )
  const blockchainId = `${chain.toLowerCase()}-chain` as 'p-chain'
  const wrapped = containers.map(proposalOf)
  // The proposers of C are read after its blocks.
  const ours = await vi.waitFor(async () => {
    const blocks = await service.all(listPrimaryBlocks, 'blocks', { blockchainId })
    expect(blocks.filter(({ proposerDetails }) => proposerDetails).length).toBe(wrapped.length)
    return blocks
  }, 15_000)
  const byHash = new Map(ours.map((block) => [block.blockHash, block.proposerDetails]))
  expect(wrapped.length).toBeGreaterThan(3)
  for (const { block, proposer } of wrapped) {
    const hash = chain === 'C' ? keccak256(toRlp(fromRlp(block, 'hex')[0] as Hex[])) : idOf(block)
    expect(byHash.get(hash)).toEqual(proposer)
  }
}
