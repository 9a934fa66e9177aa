import { type Hex, encodeAbiParameters, encodePacked, getCreate2Address, keccak256, stringToHex } from 'viem'
import { artefacts } from '../contracts/artefacts.ts'
import { hostileTexts, hostileUris, ipfsFolder, linkCases, privateUris, sampleHost } from '../nft/links.ts'
import {
  create,
  ether,
  everyRelicMove,
  handOut,
  maker,
  mintUris,
  moves,
  naming,
  relicRounds,
  round,
  saltOf,
  self,
  slotOf,
  send,
  someone,
  spread,
  stock,
  initialStock,
  stocked,
  stockRelics,
  type Sketch,
} from './case-drafts.ts'
import { depositorSteps, withdrawerSteps, wrapperRounds, wrapperSteps } from './case-wrapper.ts'
import type { CaseRound, CaseScene, CaseScript } from './case-types.ts'

/** The accounts that send the C-Chain's special transactions, by purpose. */
const tokenMaker = 0
const spamMaker = 1
const galleryMaker = 2
const proxyMaker = 3
const collectorMaker = 4
const secondCollectorMaker = 5

const nft = `http://${sampleHost}/nft`

const tokens: readonly Sketch[] = [
  create('Tide', 'Elastic', ['Tide', 'TIDE']),
  stock('Tide', 'Elastic'),
  send('Tide', 'Elastic', 'rebase', [1_050_000n]),
  create('Toll', 'Taxed', ['Toll', 'TOLL', 5n, false]),
  stock('Toll', 'Taxed'),
  create('Honest Toll', 'Taxed', ['Honest Toll', 'HTOL', 5n, true]),
  stock('Honest Toll', 'Taxed'),
  send('Toll', 'Taxed', 'burn', [3n * ether]),
  create('Old Coin', 'ShortText', [stringToHex('Old Coin', { size: 32 }), stringToHex('OLD', { size: 32 })]),
  stock('Old Coin', 'ShortText'),
  send('Tide', 'Elastic', 'rebase', [940_000n]),
  create('Longwinded', 'Longwinded'),
  stock('Longwinded', 'Longwinded', 900n),
  create('Faceless', 'Faceless'),
  stock('Faceless', 'Faceless'),
  create('Garbled', 'Garbled'),
  stock('Garbled', 'Garbled'),
  create('Yea-sayer', 'YeaSayer'),
  stock('Yea-sayer', 'YeaSayer', 70_000n),
  send('Tide', 'Elastic', 'rebase', [1_120_000n]),
  ...wrapperSteps,
]

const sliceLength = 40
const slices = 50

/** Impostor tokens and other junk. */
const impostors: readonly Sketch[] = [
  create('False AVAX', 'Token', ['Avalanche', 'AVAX', 18, 1_000n * ether]),
  handOut('False AVAX', 500n * ether),
  // The first and third letter are U+0405, the Cyrillic letter Dze.
  create('False SUSD', 'Token', ['Sample Dollar', '\u0405U\u0405D', 6, 1_000_000_000n]),
  handOut('False SUSD', 2_500_000_000n),
  create('Prize Link', 'Token', [
    'https://prize.example claim 5,000 AVAX',
    'prize.example',
    18,
    1_000n * ether,
  ]),
  handOut('Prize Link', 5_000n * ether),
  create('Upside Down', 'Token', ['Safe\0Coin\u202Egnp.exe\u200F', 'S\0C\u202E', 18, 1_000n * ether]),
  handOut('Upside Down', 42n * ether),
  create('Flyer', 'Flyer', ['Ridge Rewards', 'RDGR']),
  create('Confetti', 'Confetti'),
]

const announce = (first: number, count: number): Sketch =>
  send('Flyer', 'Flyer', 'announce', (scene) => [scene.people[0], first, count], 120_000 + 3_600 * count)

/** One token has empty balances for two thousand addresses, the other has real ones for the same addresses. */
const spam: readonly Sketch[] = Array.from({ length: slices }, (_, slice) => [
  announce(slice * sliceLength, sliceLength),
  send(
    'Confetti',
    'Confetti',
    'shower',
    [slice * sliceLength, sliceLength, 3n],
    80_000 + 32_000 * sliceLength,
  ),
  ...(slice === 25 ? [announce(0, 400)] : []),
]).flat()

const relicUris: readonly string[] = [
  `${nft}/relic/{id}.json`,
  `ipfs://${ipfsFolder}/{id}.json`,
  'data:application/json,{"name":"Relic on the chain"}',
  `${nft}/relic/{id}/{id}.json`,
]

const galleries: readonly Sketch[] = [
  create('Every Kind of Link', 'Gallery', ['Every Kind of Link', 'LINK']),
  ...mintUris(
    'Every Kind of Link',
    collectorMaker,
    linkCases.map(({ uri }) => uri),
  ),
  // Two more that the maker keeps: one is burned, the other's URI changes.
  ...mintUris('Every Kind of Link', galleryMaker, [`${nft}/good/8.json`, `${nft}/good/9.json`]),
  {
    ...send('Every Kind of Link', 'Gallery', 'burn', [BigInt(linkCases.length + 1)]),
    marks: stocked('Every Kind of Link'),
  },
  create('Glyphs', 'Glyphs'),
  {
    ...send('Glyphs', 'Glyphs', 'mint', (scene) => [maker(scene, collectorMaker), 8n], 800_000),
    draft(scene) {
      scene.state.owners['Glyphs'] = Array.from({ length: 8 }, () => collectorMaker)
      return send('Glyphs', 'Glyphs', 'mint', [maker(scene, collectorMaker), 8n], 800_000).draft(scene)
    },
    marks: stocked('Glyphs'),
  },
  create('Relics', 'Relics', ['Relics', 'RELIC']),
  ...stockRelics('Relics', [0, 1, 2, 3, 4, 5]),
  ...relicUris.map((uri, index) => send('Relics', 'Relics', 'setUri', [BigInt(index + 1), uri], 260_000)),
  send('Relics', 'Relics', 'mint', (scene) => [maker(scene, collectorMaker), 2n ** 256n - 1n, 1n]),
  send('Relics', 'Relics', 'setUri', [2n ** 256n - 1n, `${nft}/relic/{id}.json`], 260_000),
  create('Private Places', 'Gallery', ['Private Places', 'PRIV']),
  ...mintUris('Private Places', collectorMaker, privateUris),
  create('Hostile Text', 'Gallery', [hostileTexts.image, hostileTexts.script]),
  ...mintUris('Hostile Text', collectorMaker, hostileUris),
  create('Twofold', 'Twofold'),
  send('Twofold', 'Twofold', 'setUri', [1n, `${nft}/good/11.json`], 260_000),
  send('Twofold', 'Twofold', 'mintUnique', (scene) => [maker(scene, collectorMaker), 1n]),
  send('Twofold', 'Twofold', 'mint', (scene) => [maker(scene, secondCollectorMaker), 1n, 12n]),
  create('Unlabelled', 'Unlabelled'),
  send('Unlabelled', 'Unlabelled', 'mint', (scene) => [maker(scene, collectorMaker)]),
  send('Unlabelled', 'Unlabelled', 'mint', (scene) => [someone(scene)]),
  send('Glyphs', 'Glyphs', 'turn', []),
]

function behindSlot(name: string, symbol: string, at: Hex): Sketch {
  const args = (scene: CaseScene): readonly unknown[] => [at, scene.at('Shared'), naming(name, symbol)(scene)]
  return { ...create(name, 'SlotProxy', args, ['Shared']), marks: stocked(name) }
}

/** The creation code of a minimal proxy (ERC-1167). */
function cloneCode(of: Hex): Hex {
  return encodePacked(
    ['bytes', 'address', 'bytes'],
    ['0x3d602d80600a3d3981f3363d3d373d3d3d363d73', of, '0x5af43d82803e903d91602b57fd5bf3'],
  )
}

function castCode(name: string, symbol: string, holder: Hex, value: bigint): Hex {
  const types = [{ type: 'string' }, { type: 'string' }, { type: 'address' }, { type: 'uint256' }] as const
  const args = encodeAbiParameters(types, [name, symbol, holder, value])
  return `${artefacts.Cast.bytecode}${args.slice(2)}`
}

const bellSalt = saltOf('bell')
const chimeSalt = saltOf('chime')

function workshopOf(scene: CaseScene, salt: Hex): Hex {
  return getCreate2Address({ from: scene.at('Foundry'), salt, bytecode: artefacts.Workshop.bytecode })
}

const proxies: readonly Sketch[] = [
  create('Shared', 'Shared'),
  behindSlot('Moss', 'MOSS', slotOf('eip1967.proxy.implementation')),
  behindSlot('Fern', 'FERN', keccak256(stringToHex('PROXIABLE'))),
  behindSlot('Ivy', 'IVY', keccak256(stringToHex('org.zeppelinos.proxy.implementation'))),
  create('Beacon', 'Beacon', (scene) => [scene.at('Shared')], ['Shared']),
  {
    ...create('Lichen', 'BeaconProxy', (scene) => [scene.at('Beacon'), naming('Lichen', 'LICH')(scene)], [
      'Beacon',
    ]),
    marks: stocked('Lichen'),
  },
  create('Clone Maker', 'CloneMaker'),
  {
    ...send(
      'Clone Maker',
      'CloneMaker',
      'clone',
      (scene) => [scene.at('Shared'), saltOf('clover'), naming('Clover', 'CLOV')(scene)],
      1_900_000,
    ),
    also: (scene) => ({
      Clover: getCreate2Address({
        from: scene.at('Clone Maker'),
        salt: saltOf('clover'),
        bytecode: cloneCode(scene.at('Shared')),
      }),
    }),
    marks: stocked('Clover'),
  },
  create('Shared Renamed', 'SharedRenamed'),
  {
    ...send('Moss', 'SlotProxy', 'upgradeTo', (scene) => [scene.at('Shared Renamed')]),
    needs: ['Moss', 'Shared Renamed'],
  },
  send('Moss', 'SharedRenamed', 'rename', ['Moss of the North', 'MOSS']),
  create('Foundry', 'Foundry'),
  {
    ...send('Foundry', 'Foundry', 'foundAndCast', [bellSalt, 'Bell', 'BELL', 50_000_000_000_000n], 2_400_000),
    also(scene) {
      const workshop = workshopOf(scene, bellSalt)
      const bytecode = castCode('Bell', 'BELL', self(scene), 50_000_000_000_000n)
      return { Workshop: workshop, Bell: getCreate2Address({ from: workshop, salt: bellSalt, bytecode }) }
    },
  },
  {
    ...send(
      'Workshop',
      'Workshop',
      'cast',
      (scene) => [chimeSalt, 'Chime', 'CHIM', self(scene), 10_000_000_000n],
      1_400_000,
    ),
    also: (scene) => ({
      Chime: getCreate2Address({
        from: scene.at('Workshop'),
        salt: chimeSalt,
        bytecode: castCode('Chime', 'CHIM', self(scene), 10_000_000_000n),
      }),
    }),
  },
  {
    ...send('Foundry', 'Foundry', 'found', [saltOf('second workshop')], 1_400_000),
    also: (scene) => ({ 'Second Workshop': workshopOf(scene, saltOf('second workshop')) }),
  },
  stock('Bell', 'Cast', 900n * 10n ** 8n),
  ...depositorSteps,
]

const link = 'Every Kind of Link'

const collector: readonly Sketch[] = [
  ...everyRelicMove('Relics', secondCollectorMaker),
  ...[1, 14, 30].map((id): Sketch => ({
    ...send(link, 'Gallery', 'safeTransferFrom', (scene) => [
      self(scene),
      maker(scene, secondCollectorMaker),
      BigInt(id),
    ]),
    needs: [link, stocked(link)],
  })),
  send(link, 'Gallery', 'setApprovalForAll', (scene) => [maker(scene, secondCollectorMaker), true]),
  {
    ...send(link, 'Gallery', 'transferFrom', (scene) => [self(scene), self(scene), 31n]),
    needs: [link, stocked(link)],
    marks: 'the second collector may move links',
  },
  {
    ...send('Relics', 'Relics', 'setApprovalForAll', (scene) => [maker(scene, secondCollectorMaker), true]),
    marks: 'the second collector may move relics',
  },
  {
    ...send('Twofold', 'Twofold', 'transferFrom', (scene) => [
      self(scene),
      maker(scene, secondCollectorMaker),
      1n,
    ]),
    needs: ['Unlabelled'],
  },
]

const secondCollector: readonly Sketch[] = [
  {
    ...send(link, 'Gallery', 'transferFrom', (scene) => [maker(scene, collectorMaker), someone(scene), 32n]),
    needs: [link, 'the second collector may move links'],
  },
  {
    ...send(
      'Relics',
      'Relics',
      'safeBatchTransferFrom',
      (scene) => [maker(scene, collectorMaker), self(scene), [1n, 2n, 1n], [5n, 6n, 7n], '0x'],
      260_000,
    ),
    needs: ['Relics', stocked('Relics'), 'the second collector may move relics'],
  },
  ...withdrawerSteps,
]

const glyphRounds: readonly CaseRound[] = [
  {
    weight: 2,
    needs: ['Glyphs', stocked('Glyphs')],
    draft(scene) {
      scene.state.owners['Glyphs']?.push(scene.self)
      return send('Glyphs', 'Glyphs', 'mint', [self(scene), 1n]).draft(scene)
    },
  },
  {
    weight: 2,
    needs: ['Glyphs', stocked('Glyphs')],
    draft(scene) {
      const owners = scene.state.owners['Glyphs'] ?? []
      const index = owners.indexOf(scene.self)
      if (index < 0) return undefined
      const receiver = scene.random.below(scene.makers.length)
      owners[index] = receiver
      const args = [self(scene), maker(scene, receiver), BigInt(index + 1)]
      return send('Glyphs', 'Glyphs', 'safeTransferFrom', args).draft(scene)
    },
  },
  round(0.6, 'Glyphs', 'Glyphs', 'turn', []),
]

const rounds: readonly CaseRound[] = [
  moves(3, 'Tide', 'Elastic'),
  round(1, 'Tide', 'Elastic', 'rebase', (scene) => [BigInt(scene.random.between(985_000, 1_018_000))]),
  moves(3, 'Toll', 'Taxed'),
  moves(3, 'Honest Toll', 'Taxed'),
  ...['Moss', 'Fern', 'Ivy', 'Lichen', 'Clover'].map((name) => moves(1, name, 'Shared')),
  moves(1, 'Bell', 'Cast', 10n ** 8n),
  moves(1, 'Old Coin', 'ShortText'),
  moves(0.5, 'Longwinded', 'Longwinded', 1n),
  moves(0.5, 'Faceless', 'Faceless'),
  moves(0.5, 'Garbled', 'Garbled'),
  moves(0.5, 'Yea-sayer', 'YeaSayer', 100n),
  moves(0.7, 'False AVAX', 'Token'),
  moves(0.7, 'False SUSD', 'Token', 1_000_000n),
  round(1, 'Flyer', 'Flyer', 'announce', (scene) => [
    scene.people[0],
    BigInt(scene.random.below(sliceLength * slices - 10)),
    10n,
  ]),
  ...relicRounds('Relics'),
  ...wrapperRounds(tokenMaker),
  ...glyphRounds,
  round(
    0.8,
    link,
    'Gallery',
    'setUri',
    (scene) => [BigInt(linkCases.length + 2), `${nft}/good/${scene.random.between(10, 99)}.json`],
    { needs: [stocked(link)] },
  ),
  round(
    0.2,
    'Clone Maker',
    'CloneMaker',
    'clone',
    (scene) => [
      scene.at('Shared'),
      saltOf(`clone ${scene.random.below(2 ** 32)}`),
      naming('Clover Leaf', 'LEAF')(scene),
    ],
    { gas: 1_900_000, needs: ['Shared'] },
  ),
  round(
    0.2,
    'Workshop',
    'Workshop',
    'cast',
    (scene) => [
      saltOf(`cast ${scene.random.below(2 ** 32)}`),
      'Little Bell',
      'LBEL',
      self(scene),
      initialStock,
    ],
    { gas: 1_400_000 },
  ),
]

/** The C-Chain's special contracts; docs/sample.md describes each. */
export const cCases: CaseScript = {
  steps: [
    ...spread(tokenMaker, 0.05, 0.72, tokens),
    ...spread(spamMaker, 0.06, 0.3, impostors),
    ...spread(spamMaker, 0.7, 0.98, spam),
    ...spread(galleryMaker, 0.2, 0.85, galleries),
    ...spread(proxyMaker, 0.08, 0.78, proxies),
    ...spread(collectorMaker, 0.5, 0.92, collector),
    ...spread(secondCollectorMaker, 0.4, 0.92, secondCollector),
  ],
  rounds,
}
