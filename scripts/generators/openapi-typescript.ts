import createClient from 'openapi-fetch'
import type { components, paths } from './generated/openapi-typescript.js'

type Block = components['schemas']['Block']

declare const process: { readonly argv: readonly string[] }

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' })

/** Lists with the types that openapi-typescript makes. */
async function list(): Promise<void> {
  const blocks = await client.GET('/v1/chains/{chainId}/blocks', {
    params: { path: { chainId: '43113' }, query: { pageSize: 2 } },
  })
  const validators = await client.GET('/v1/networks/{network}/validators', {
    params: { path: { network: 'fuji' }, query: { validationStatus: 'active' } },
  })
  const metric = await client.GET('/v2/chains/{chainId}/metrics/{metric}', {
    params: { path: { chainId: '43113', metric: 'txCount' }, query: { timeInterval: 'day' } },
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
