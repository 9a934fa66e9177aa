import recorded from '../../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { cb58, fromCheckedHex, idOfText } from '../../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../../protocol/primary/p-blocks.ts'
import { addPBlock, rewardTx, rewardUtxo } from '../../../indexer/primary/testing/own-blocks.ts'
import { RecordedNode } from '../../../indexer/primary/testing/recorded-node.ts'

/** The genesis of the recorded network. */
export const recordedGenesis = fromCheckedHex(recorded.genesis.hex)

/** The validation of the recorded network that ends, when it ends, and what it is paid. */
export const endedStake = '2Hh6zez7NEZQ22WwRSuJB95ynuNHYe5ZqWbYFcRzBdhseFxp9r'
const end = 1_795_336_006
export const reward = 567_306_284n

/**
 * The recorded network, continued: a validation ends. Block 13 proposes it, block 14 commits the reward, and the blocks up
 * to 20 are empty.
 */
export function rewardedNode(paid = reward): RecordedNode {
  const node = new RecordedNode()
  const staking = recorded.pBlocks.flatMap(({ hex }) => decodePBlock(fromCheckedHex(hex)).transactions)
  const validation = staking.find(({ id }) => cb58(id) === endedStake)
  if (validation?.unsigned.type !== 'AddPermissionlessValidatorTx') throw new Error('no validation')
  const { base, stake, rewardsOwner } = validation.unsigned
  const [owner] = rewardsOwner.addresses
  const [first] = stake
  if (!owner || !first) throw new Error('the validation has no owner')
  const index = base.outputs.length + stake.length
  const tx = idOfText(endedStake)
  node.rewards.set(endedStake, [rewardUtxo(tx, index, first.assetId, paid, owner)])
  addPBlock(node, 32, end, [])
  addPBlock(node, 29, end, [rewardTx(tx)])
  addPBlock(node, 31, end, [])
  for (let height = 15; height <= 20; height += 1) addPBlock(node, 32, end + height, [])
  return node
}
