import { type WrapperInput } from '../../../protocol/primary/proposer.ts'
import type { State, StoredContainer } from '../state.ts'
import type { World } from '../world.ts'

/** The unsigned wrapper of a block. */
export function wrapperOf(
  world: World,
  state: State,
  stored: Omit<StoredContainer, 'id'>,
  block: Uint8Array,
  isOption: boolean,
): WrapperInput | undefined {
  const { ages } = world
  if (stored.time < ages.apricotPhase4) return undefined
  const { parent: parentId, time, pHeight } = stored
  if (isOption) return { type: 'OPTION', parentId, block }
  const certificate = world.nodes[stored.node]?.certificate.der ?? new Uint8Array()
  const signed = {
    parentId,
    time: BigInt(time),
    pChainHeight: BigInt(pHeight),
    certificate,
    block,
    signature: new Uint8Array(),
  }
  if (time < ages.granite) return { type: 'SIGNED', ...signed }
  const epoch = Math.floor((time - ages.granite) / epochSeconds)
  const epochStart = ages.granite + epoch * epochSeconds
  // P may still receive blocks from before the epoch; heights above the one the proposer saw do not count.
  const epochHeight = Math.min(pHeight, heightAt(state, epochStart))
  return {
    type: 'EPOCH',
    ...signed,
    epochPChainHeight: BigInt(epochHeight),
    epochNumber: BigInt(epoch),
    epochStart: BigInt(epochStart),
  }
}

/** Duration of a Granite epoch in seconds. */
const epochSeconds = 300

/** The newest P height before `time`. */
function heightAt(state: State, time: number): number {
  const { P } = state.blocks
  let low = 0
  let high = P.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((P[middle]?.time ?? 0) < time) low = middle
    else high = middle - 1
  }
  return low
}
