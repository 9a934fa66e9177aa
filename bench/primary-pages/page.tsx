import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import type { Validator } from '../../contract/network/validators.ts'
import { DataTable } from '../../src/components/table/data-table.tsx'
import { pagedRows } from '../../src/lib/paging.ts'
import { primaryNetworkId } from '../../src/lib/primary-chains.ts'
import { validatorColumns } from '../../src/pages/network/validators/columns.tsx'
import { GraphCanvas } from '../../src/pages/primary/vertices/graph-canvas.tsx'
import { layoutGraph } from '../../charts/graph/layout.ts'
import type { GraphVertex } from '../../contract/primary/blocks.ts'
import { framesWhile, nextFrame, rowsDrawn, rowsSeen, scrollFrames } from '../support/page-frames.ts'
import '../../src/styles/index.css'

const perPage = 100
const name = (number: number): string => number.toString(36).padStart(33, 'x')

function validatorNumbered(number: number): Validator {
  return {
    txHash: name(number),
    nodeId: `NodeID-${name(number)}`,
    subnetId: primaryNetworkId,
    amountStaked: String(2_000_000_000_000 + number * 7_919_000_000),
    delegationFee: String(2 + (number % 9)),
    startTimestamp: 1_760_000_000 + number,
    endTimestamp: 1_790_000_000 + number * 60,
    blsCredentials: { publicKey: '0x', proofOfPossession: '0x' },
    delegatorCount: number % 70,
    amountDelegated: String(number * 104_729_000_000),
    rewards: { validationRewardAmount: '0', delegationRewardAmount: '0' },
    validationStatus: 'active',
    stakePercentage: (number % 100) / 100,
    uptimePerformance: 60 + (number % 40),
    delegationCapacity: String(number * 1_000_000_000),
    potentialRewards: {
      validationRewardAmount: String(number * 1_000_000),
      delegationRewardAmount: String(number * 10_000),
      rewardAddresses: [`fuji1${name(number)}`],
    },
  }
}

/** Vertices in heights of five; each has parents among the three heights before its own. */
function graphOf(count: number): GraphVertex[] {
  return Array.from({ length: count }, (_, index) => {
    const height = Math.floor(index / 5)
    const parents = Array.from(
      { length: 1 + (index % 3) },
      (_one, part) => index - 5 - ((index * 7 + part * 4) % 11),
    )
    return {
      vertexHash: name(index),
      vertexHeight: height,
      vertexIndex: index,
      vertexTimestamp: 1_700_000_000 + index,
      parentHashes: [...new Set(parents)].filter((parent) => parent >= 0).map(name),
      txCount: 1 + (index % 4),
      isStop: false,
    }
  })
}

const root = createRoot(document.getElementById('root') ?? document.body)
const ignore = (): void => undefined

/** Shows so many validators in pages of 100, with the columns of the list of validators. */
async function fillList(rows: number): Promise<void> {
  const pages = Array.from({ length: rows / perPage }, (_, page) =>
    Array.from({ length: perPage }, (_row, index) => validatorNumbered(page * perPage + index)),
  )
  root.render(
    <MemoryRouter>
      <DataTable
        id="bench"
        label="Validators"
        noun="validator"
        columns={validatorColumns('fuji', 'AVAX')}
        rows={pagedRows(pages)}
        rowKey={(row) => row.txHash}
        rowHref={(row) => `/validator/${row.nodeId}`}
      />
    </MemoryRouter>,
  )
  await rowsDrawn(rows)
}

/** Shows the graph of so many vertices, all of them in the picture. */
async function fillGraph(vertices: number): Promise<void> {
  root.render(
    <GraphCanvas
      layout={layoutGraph(graphOf(vertices))}
      label="Graph"
      selected={undefined}
      onSelect={ignore}
      onOpen={ignore}
      height={560}
    />,
  )
  while (document.querySelector('canvas') === null) await nextFrame()
}

/** Frame times in milliseconds while the graph is moved, there and back, by a key pressed once a frame. */
async function pan(moves: number): Promise<number[]> {
  const surface = document.querySelector('[role=application]')
  if (surface === null) throw new Error('no graph to move')
  return framesWhile(moves, (at) => {
    const key = at % 20 < 10 ? 'ArrowRight' : 'ArrowLeft'
    surface.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true }))
  })
}

/** The graph as it is drawn now: the bench must not praise one that does not move. */
function picture(): string {
  return document.querySelector('canvas')?.toDataURL() ?? ''
}

const parts = { fillList, fillGraph, pan, picture, rowsSeen, scroll: scrollFrames }
declare global {
  // Only an interface merges with the one of the DOM.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Window {
    primaryPages: typeof parts
  }
}
window.primaryPages = parts
