import { createClient } from './generated/hey-api/client/index.js'
import { getMetric, listBlocks, listValidators } from './generated/hey-api/sdk.gen.js'
import type { Block } from './generated/hey-api/types.gen.js'

declare const process: { readonly argv: readonly string[] }

const client = createClient({ baseUrl: process.argv[2] ?? '' })

/** Lists with the functions that @hey-api/openapi-ts makes. */
async function list(): Promise<void> {
  const blocks = await listBlocks({ client, path: { chainId: '43113' }, query: { pageSize: 2 } })
  const validators = await listValidators({
    client,
    path: { network: 'fuji' },
    query: { validationStatus: 'active' },
  })
  const metric = await getMetric({
    client,
    path: { chainId: '43113', metric: 'txCount' },
    query: { timeInterval: 'day' },
  })
  const newest: Block | undefined = blocks.data?.blocks[0]
  console.log(
    JSON.stringify({
      blockNumber: newest?.blockNumber,
      nodeId: validators.data?.validators[0]?.nodeId,
      value: metric.data?.results[0]?.value,
    }),
  )
}

void list()
