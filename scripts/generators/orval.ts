import { type Block, getMetric, listBlocks, listValidators } from './generated/orval.js'

/** Lists with the functions that orval makes. */
async function list(): Promise<void> {
  const blocks = await listBlocks('43113', { pageSize: 2 })
  const validators = await listValidators('fuji', { validationStatus: 'active' })
  const metric = await getMetric('43113', 'txCount', { timeInterval: 'day' })
  const newest: Block | undefined = blocks.status === 200 ? blocks.data.blocks[0] : undefined
  console.log(
    JSON.stringify({
      blockNumber: newest?.blockNumber,
      nodeId: validators.status === 200 ? validators.data.validators[0]?.nodeId : undefined,
      value: metric.status === 200 ? metric.data.results[0]?.value : undefined,
    }),
  )
}

void list()
