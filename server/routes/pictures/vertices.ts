import { verticesChart } from '../../../contract/pictures/charts.ts'
import { verticesPicture } from '../../../contract/pictures/pages.ts'
import { getVertexGraph } from '../../../contract/primary/blocks.ts'
import { drawGraphPicture } from '../../../charts/graph/picture.ts'
import { primaryTopic } from '../../events/hub.ts'
import type { Implementation } from '../../http/bind.ts'
import { planOf } from './answer.ts'
import type { Bind } from './entry.ts'
import type { Owners } from './owners.ts'

const { title } = verticesChart

/** The graph of the vertices of a network's X-Chain. */
export function vertexPictures(owners: Owners, bind: Bind): Implementation[] {
  return bind({
    operations: verticesPicture,
    about({ network }) {
      const { chainId, name } = owners.network(network)
      return { title: `${title} · ${name}`, page: `/networks/${chainId}/vertices` }
    },
    plan({ params: { network }, query: { from, width, height }, ask }) {
      const { chainId, name } = owners.network(network)
      return planOf({
        key: ['vertices', chainId, from],
        topics: [primaryTopic(chainId, 'x-chain')],
        read: () =>
          ask.one(getVertexGraph, {
            params: { network, blockchainId: 'x-chain' },
            query: { ...(from !== undefined && { startHeight: String(from) }) },
          }),
        form: [name, width, height],
        draw({ vertices, firstHeight, lastHeight }) {
          const all =
            firstHeight === undefined || lastHeight === undefined
              ? undefined
              : `${firstHeight.toLocaleString('en')} to ${lastHeight.toLocaleString('en')}`
          return drawGraphPicture({
            width,
            height,
            title: `${title} · ${name}`,
            shortTitle: title,
            note: [
              'edges lead to parents on the left',
              ...(all === undefined ? [] : [`the chain has vertices at heights ${all}`]),
            ],
            vertices,
            end: from === undefined ? 'last' : 'first',
            empty:
              all === undefined || from === undefined
                ? verticesChart.empty
                : `No vertex is at height ${from.toLocaleString('en')} or above`,
          })
        },
      })
    },
  })
}
