// A network of staking validators on loopback with a genesis of its own: what `--network local` and the
// tests against real nodes have in common. A node makes its keys at its first start; the genesis names them.
import { bech32 } from '@scure/base'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export const networkId = 1337
/** The address prefix of every network without a name. */
export const addressPrefix = 'custom'
export const evmChainId = 43_112

/** The published test key that owns most of the genesis, on P and X and as an EVM account. */
export const testKey = '56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027'
const testAddress = Buffer.from('3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c', 'hex')
const testEvmAddress = '8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'

/** Settings of an EVM chain besides its defaults: every block and state is kept, every API is enabled. */
export const evmConfig = {
  'admin-api-enabled': true,
  'pruning-enabled': false,
  'warp-api-enabled': true,
  'preimages-enabled': true,
  'keystore-insecure-unlock-allowed': true,
  'eth-apis': [
    'eth',
    'eth-filter',
    'net',
    'web3',
    'internal-eth',
    'internal-blockchain',
    'internal-transaction',
    'internal-tx-pool',
    'internal-debug',
    'internal-account',
    'internal-personal',
    'debug',
    'debug-handler',
    'debug-tracer',
  ],
}

const year = 365 * 86_400
const avax = 1_000_000_000n
const firstStartMs = 60_000

const base64 = (text) => Buffer.from(text).toString('base64')

/** The flag that configures a node's chains: the C-Chain, and others by id. */
export function chainsFlag(chains = {}) {
  const given = Object.entries({ C: { config: evmConfig }, ...chains }).map(([name, { config, upgrade }]) => [
    name,
    {
      Config: base64(JSON.stringify(config)),
      Upgrade: upgrade === undefined ? null : base64(JSON.stringify(upgrade)),
    },
  ])
  return `--chain-config-content=${base64(JSON.stringify(Object.fromEntries(given)))}`
}

const phases = ['1', '2', '3', '4', '5', 'Pre6', '6', 'Post6'].map((name) => `apricotPhase${name}`)
const upgrades = ['banff', 'cortina', 'durango', 'etna', 'fortuna', 'granite']

/**
 * The flag with a network's upgrade times: all upgrades before Helicon are active from the first block on,
 * Helicon from `heliconTime` on (in a node's format), and a P-Chain epoch lasts `epochSeconds`. A node
 * without Helicon ignores it.
 */
export function upgradesFlag({ heliconTime, epochSeconds }) {
  const times = [...phases, ...upgrades].map((name) => [`${name}Time`, '2020-12-05T05:00:00Z'])
  // Every upgrade must be listed.
  const schedule = {
    ...Object.fromEntries(times),
    apricotPhase4MinPChainHeight: 0,
    cortinaXChainStopVertexID: '11111111111111111111111111111111LpoYY',
    graniteEpochDuration: epochSeconds * 1_000_000_000,
    heliconTime,
  }
  return `--upgrade-file-content=${base64(JSON.stringify(schedule))}`
}

/**
 * Creates the keys of a network's nodes and a genesis in which all of them, except the last `guests`,
 * validate with the same weight, below `folder`, unless they exist from an earlier start. `ports` are pairs
 * of API and peer port. Resolves with the nodes and the flags of each; `chainsFlag` is also required.
 */
export async function prepareNetwork({ program, folder, ports, guests = 0 }) {
  const places = ports.map(([httpPort, stakingPort], index) => ({
    folder: join(folder, `node-${index + 1}`),
    httpPort,
    stakingPort,
  }))
  const genesis = join(folder, 'genesis.json')
  const identities = join(folder, 'identities.json')
  if (!existsSync(genesis)) {
    const made = await Promise.all(places.map((place) => identityOf(program, place)))
    mkdirSync(folder, { recursive: true })
    writeFileSync(identities, JSON.stringify(made))
    writeFileSync(
      genesis,
      json(genesisOf(made.slice(0, made.length - guests), Math.floor(Date.now() / 1000))),
    )
  }
  const known = JSON.parse(readFileSync(identities, 'utf8'))
  return places.map((place, index) => ({
    ...place,
    nodeId: known[index].nodeID,
    proof: known[index].nodePOP,
    url: `http://127.0.0.1:${place.httpPort}`,
    flags: [
      ...loopbackFlags(place),
      `--network-id=${networkId}`,
      `--genesis-file=${genesis}`,
      '--min-stake-duration=15s',
      // The same under Helicon's rules; as settings, because older nodes refuse unknown flags.
      `--config-file-content=${base64(JSON.stringify({ 'helicon-min-stake-duration': '15s' }))}`,
      // Two of five nodes may be stopped on purpose.
      '--network-health-min-conn-peers=0',
      // The first node needs no other to start; the others connect to it.
      `--bootstrap-ips=${index === 0 ? '' : `127.0.0.1:${places[0].stakingPort}`}`,
      `--bootstrap-ids=${index === 0 ? '' : known[0].nodeID}`,
    ],
  }))
}

/** The flags of every node, whose data, API and peers are where `prepareNetwork` says. */
export function loopbackFlags({ folder, httpPort, stakingPort }) {
  return [
    `--data-dir=${folder}`,
    '--http-host=127.0.0.1',
    `--http-port=${httpPort}`,
    '--staking-host=127.0.0.1',
    `--staking-port=${stakingPort}`,
    '--public-ip=127.0.0.1',
    '--fd-limit=16384',
    // Readiness is only updated with each health check; the default is every 30 seconds.
    '--health-check-frequency=200ms',
    '--api-admin-enabled=true',
    '--index-enabled=true',
  ]
}

/** Starts a node once so that it creates its keys. */
async function identityOf(program, place) {
  const flags = [
    '--network-id=local',
    '--sybil-protection-enabled=false',
    '--bootstrap-ips=',
    '--bootstrap-ids=',
  ]
  const child = spawn(program, [...loopbackFlags(place), ...flags], { stdio: ['ignore', 'ignore', 'pipe'] })
  let tail = ''
  child.stderr.on('data', (chunk) => {
    tail = (tail + chunk).slice(-2000)
  })
  const ended = once(child, 'exit')
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  try {
    const until = Date.now() + firstStartMs
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${place.httpPort}/ext/info`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"info.getNodeID","params":{}}',
      }).catch(() => undefined)
      if (answer?.ok) return (await answer.json()).result
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > until)
        throw new Error(`avalanchego did not start: ${tail.trim()}`)
      await delay(50)
    }
  } finally {
    child.kill('SIGTERM')
    await ended
    process.off('exit', endWithUs)
  }
}

/**
 * Funds that balances must distinguish: unlocked, under short and long locks, and validators with a locked
 * stake. The total is 360 million AVAX, as on every named network, because rewards depend on it.
 */
function genesisOf(validators, now) {
  const address = (bytes) => `X-${bech32.encode(addressPrefix, bech32.toWords(bytes))}`
  const staked = address(Buffer.alloc(20, 0x51))
  const allocation = (avaxAddr, initialAmount, unlockSchedule) => ({
    ethAddr: `0x${'00'.repeat(20)}`,
    avaxAddr,
    initialAmount,
    unlockSchedule,
  })
  return {
    networkID: networkId,
    allocations: [
      allocation(address(testAddress), 319_999_815n * avax, [
        { amount: 30_000_000n * avax, locktime: 0 },
        { amount: 70n * avax, locktime: now + year },
        { amount: 35n * avax, locktime: now + 2 * year },
        { amount: 80n * avax, locktime: now + 20 },
      ]),
      allocation(staked, 0n, [{ amount: 10_000_000n * avax, locktime: now + 2 * year }]),
    ],
    startTime: now - 60,
    initialStakeDuration: year,
    initialStakeDurationOffset: 5_400,
    initialStakedFunds: [staked],
    initialStakers: validators.map(({ nodeID, nodePOP }) => ({
      nodeID,
      rewardAddress: staked,
      delegationFee: 20_000,
      signer: nodePOP,
    })),
    cChainGenesis: JSON.stringify({
      config: { chainId: evmChainId },
      nonce: '0x0',
      // The time when all upgrades of an unnamed network became active: earlier blocks follow older rules.
      timestamp: '0x5FCB13D0',
      extraData: '0x00',
      gasLimit: '0x5f5e100',
      difficulty: '0x0',
      mixHash: `0x${'00'.repeat(32)}`,
      coinbase: `0x${'00'.repeat(20)}`,
      alloc: { [testEvmAddress]: { balance: '0x295BE96E64066972000000' } },
      number: '0x0',
      gasUsed: '0x0',
      parentHash: `0x${'00'.repeat(32)}`,
    }),
    message: 'a network of its own',
  }
}

// Amounts have 64 bits and are numbers in this file.
function json(value) {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `#${each}#` : each))
  return text.replaceAll(/"#(\d+)#"/g, '$1')
}
