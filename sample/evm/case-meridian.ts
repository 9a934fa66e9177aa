import { linkCases, sampleHost } from '../nft/links.ts'
import {
  create,
  ether,
  everyRelicMove,
  handOut,
  mintUris,
  moves,
  naming,
  relicRounds,
  round,
  send,
  slotOf,
  spread,
  stock,
  stocked,
  stockRelics,
  type Sketch,
} from './case-drafts.ts'
import type { CaseScript } from './case-types.ts'

const nft = `http://${sampleHost}/nft`
const shown = [
  'good',
  'slow',
  'throttled',
  'missing',
  'list',
  'ipfs',
  'empty',
  'ftp',
  'data in base64',
  'bitmap',
]

const tokens: readonly Sketch[] = [
  create('Meridian Energy', 'Elastic', ['Meridian Energy', 'NRG']),
  stock('Meridian Energy', 'Elastic'),
  send('Meridian Energy', 'Elastic', 'rebase', [1_080_000n]),
  // The last letter is U+0501, the Cyrillic letter Komi De.
  create('False GOLD', 'Token', ['Meridian Gold', 'GOL\u0501', 18, 1_000n * ether]),
  handOut('False GOLD', 900n * ether),
  create('False MRD', 'Token', ['Meridian', 'MRD', 18, 1_000n * ether]),
  handOut('False MRD', 10n * ether),
]

const items: readonly Sketch[] = [
  create('Meridian Runes', 'Relics', ['Meridian Runes', 'RUNE']),
  ...stockRelics('Meridian Runes', [0, 1, 2]),
  ...everyRelicMove('Meridian Runes', 2),
  ...[1n, 2n, 3n, 4n].map((id) =>
    send('Meridian Runes', 'Relics', 'setUri', [id, `${nft}/relic/{id}.json`], 260_000),
  ),
  create('Meridian Maps', 'Gallery', ['Meridian Maps', 'MAPS']),
  ...mintUris(
    'Meridian Maps',
    2,
    linkCases.filter(({ key }) => shown.includes(key)).map(({ uri }) => uri),
  ),
]

const proxies: readonly Sketch[] = [
  create('Guild Code', 'Shared'),
  {
    ...create(
      'Guild Coin',
      'SlotProxy',
      (scene) => [
        slotOf('eip1967.proxy.implementation'),
        scene.at('Guild Code'),
        naming('Guild Coin', 'GUILD')(scene),
      ],
      ['Guild Code'],
    ),
    marks: stocked('Guild Coin'),
  },
]

/** Meridian's special contracts. */
export const meridianCases: CaseScript = {
  steps: [...spread(0, 0.1, 0.6, tokens), ...spread(1, 0.12, 0.7, items), ...spread(2, 0.15, 0.5, proxies)],
  rounds: [
    moves(2, 'Meridian Energy', 'Elastic'),
    round(1, 'Meridian Energy', 'Elastic', 'rebase', (scene) => [
      BigInt(scene.random.between(985_000, 1_018_000)),
    ]),
    moves(2, 'Guild Coin', 'Shared'),
    moves(0.7, 'False GOLD', 'Token'),
    ...relicRounds('Meridian Runes'),
  ],
}
