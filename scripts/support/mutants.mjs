// What `npm run test:mutants` breaks, one at a time, and what must notice it; docs/testing.md. `from` occurs
// exactly once in `file`. With `comparison` an index made by the broken service is held against a real node
// (real-node/compare/comparisons.ts); with `suite` that file of the tests against real nodes must turn red, with `tests`
// one of these files of `npm test`. `kills` is how often tests kill at random moments then.
export const mutants = [
  // The EVM: decoder, calls, metrics.
  {
    name: 'gas used is stored one too high',
    file: 'server/indexer/evm/decode.ts',
    from: 'rows.bigint(gasUsed)',
    to: 'rows.bigint(gasUsed + 1n)',
    comparison: 'the EVM of C',
  },
  {
    name: 'a failed transaction counts as one that succeeded',
    file: 'server/indexer/evm/decode.ts',
    from: 'rows.smallint(succeeded ? 1 : 0)',
    to: 'rows.smallint(1)',
    comparison: 'the EVM of C',
  },
  {
    name: 'a gas limit is stored as the nonce',
    file: 'server/indexer/evm/decode.ts',
    from: "rows.numeric(quantity(transaction['nonce'], 'a nonce'))",
    to: "rows.numeric(quantity(transaction['gas'], 'a nonce'))",
    comparison: 'the EVM of C',
  },
  {
    name: 'logs are numbered from one',
    file: 'server/indexer/evm/decode.ts',
    from: '  rows.integer(index)\n  rows.integer(txIndex)\n',
    to: '  rows.integer(index + 1)\n  rows.integer(txIndex)\n',
    comparison: 'the EVM of C',
  },
  {
    name: 'calls inside a failed call count as successful',
    file: 'server/indexer/evm/traces.ts',
    from: 'const reverted = next.reverted || hasError(frame)',
    to: 'const reverted = hasError(frame)',
    comparison: 'the EVM of C',
  },
  {
    name: 'maxTps takes the gas of a second',
    file: 'server/indexer/evm/tip.ts',
    from: 'rate(secondTxs)',
    to: 'rate(secondGas)',
    comparison: 'the EVM of C',
  },
  {
    name: 'activeSenders counts receivers',
    file: 'server/indexer/evm/decode.ts',
    from: 'if (to !== undefined && to !== zeroAddress) parties.add(to)',
    to: 'if (to !== undefined && to !== zeroAddress) parties.add(to) && senders.add(to)',
    comparison: 'the EVM of C',
  },
  // The primary network: codec, buckets, rewards, fees.
  {
    name: 'two buckets of balances are swapped',
    file: 'server/store/primary/read-balances.ts',
    from: "  'unlockedStaked',\n  'lockedPlatform',\n",
    to: "  'lockedPlatform',\n  'unlockedStaked',\n",
    comparison: 'balances and UTXOs of every address',
  },
  {
    name: 'a stakeable lock does not lock a stake',
    file: 'server/store/primary/read-balances.ts',
    from: '`(u.locktime > ${$.lockTime}::numeric or u.stakeable_locktime > ${$.lockTime}::numeric)`',
    to: '`(u.locktime > ${$.lockTime}::numeric)`',
    comparison: 'balances and UTXOs of every address',
  },
  {
    name: 'what leaves a chain counts as arriving',
    file: 'server/routes/primary/balances.ts',
    from: 'const isIncoming = row.home === chain.key',
    to: 'const isIncoming = row.home !== chain.key',
    comparison: 'balances and UTXOs of every address',
  },
  {
    name: 'the validator’s share of a delegation’s reward is too low',
    file: 'protocol/primary/rewards.ts',
    from: 'const others = millionths - BigInt(shares)',
    to: 'const others = millionths - BigInt(shares) / 2n',
    comparison: 'validators and delegators',
  },
  {
    name: 'staking is rewarded by the lower rate alone',
    file: 'protocol/primary/rewards.ts',
    from: 'const rate = (rules.maxRate - rules.minRate) * duration + rules.minRate * mintingPeriod',
    to: 'const rate = rules.minRate * mintingPeriod',
    comparison: 'transactions of P, X and C',
  },
  {
    name: 'balances of L1 validators count as burned',
    file: 'server/routes/primary/transaction-fields.ts',
    from: '    burned.add(view.avax, -details.l1Balance)\n',
    to: '',
    comparison: 'transactions of P, X and C',
  },
  {
    name: 'L1 validators pay a nAVAX too much with each block',
    file: 'server/indexer/primary/p-l1.ts',
    from: 'state.accruedFees += cost',
    to: 'state.accruedFees += cost + 1n',
    comparison: 'blocks of P and X',
  },
  {
    name: 'the codec forgets the lock of a stake',
    file: 'protocol/primary/outputs.ts',
    from: 'return readAmount(reader, locktime)',
    to: 'return readAmount(reader, locktime * 0n)',
    comparison: 'transactions of P, X and C',
  },
  {
    name: 'a delegation capacity ignores what is delegated',
    file: 'server/store/network/read-validators.ts',
    from: '- weight - delegated, 0) end as capacity',
    to: '- weight, 0) end as capacity',
    comparison: 'validators and delegators',
  },
  // What needs no real node.
  {
    name: 'signers are in reverse canonical order',
    file: 'server/signatures/validator-set.ts',
    from: '.sort((a, b) => Buffer.compare(a.uncompressed, b.uncompressed))',
    to: '.sort((a, b) => Buffer.compare(b.uncompressed, a.uncompressed))',
    tests: ['server/signatures/validator-set.test.ts'],
  },
  {
    name: 'the gateway changes an answer',
    file: 'server/gateway/pass.ts',
    from: 'return { status, held: { head: redact(head, secrets), rest } }',
    to: "return { status, held: { head: Buffer.from(redact(head, secrets).toString().replace('9', '8')), rest } }",
    tests: ['server/gateway/answers.test.ts'],
  },
  {
    name: 'a range has its manifest before its files',
    file: 'server/lake/range-writer.ts',
    from: `    for (const table of this.#tables) {
      await publish(join(this.#folder, \`\${table}.parquet\`), tableFile(this.#root, chain, table, this.#range))
    }
    await publish(draft, manifestFile(this.#root, chain, this.#range))
`,
    to: `    await publish(draft, manifestFile(this.#root, chain, this.#range))
    for (const table of this.#tables) {
      await publish(join(this.#folder, \`\${table}.parquet\`), tableFile(this.#root, chain, table, this.#range))
    }
`,
    tests: ['server/lake/primary/kill.long.test.ts'],
    kills: 12,
  },
  {
    name: 'a table of a bulk load is noted before its commit',
    file: 'server/lake/bulk/load.ts',
    from: '    await session.transaction(async (sql) => {\n      await shareChain(sql, chain)',
    to: '    await session.use((sql) => notePart(sql, chain, name))\n    await session.transaction(async (sql) => {\n      await shareChain(sql, chain)',
    tests: ['server/lake/bulk/load.long.test.ts'],
    kills: 12,
  },
  {
    name: 'rows are committed statement by statement',
    file: 'server/store/session.ts',
    from: '        sql`begin`,\n',
    to: '',
    tests: ['server/lake/load.long.test.ts'],
    kills: 12,
  },
  {
    name: 'a load of P or X applies its newest block again',
    file: 'server/lake/primary/load.ts',
    from: 'if (block.number <= cursor.height && cursor.height >= 0) {',
    to: 'if (block.number < cursor.height && cursor.height >= 0) {',
    tests: ['server/lake/primary/kill.long.test.ts'],
    kills: 12,
  },
  {
    name: 'fees are stored twice',
    file: 'server/store/metrics/sums.ts',
    from: 'cum_fees: ({ fees }) => fees,',
    to: 'cum_fees: ({ fees }) => fees + fees,',
    tests: ['server/indexer/anvil.test.ts'],
  },
  {
    name: 'a token’s sender keeps what it sent',
    file: 'server/indexer/evm/tokens/token-tracker.ts',
    from: 'if (losing) move(losing, -value)',
    to: 'if (losing) move(losing, 0n)',
    tests: ['server/indexer/tokens.test.ts'],
  },
  {
    name: 'pages of transactions leave out their first row',
    file: 'server/store/evm/read-transactions.ts',
    from: "'(number, index) < ($2, $3) and number >= $4'",
    to: "'(number, index) < ($2, $3 - 1) and number >= $4'",
    tests: ['server/routes/evm/walk.test.ts'],
  },
  // Nothing but the values differs: the names and types of all answers stay as they are.
  {
    name: 'the gateway changes the gas of an answer',
    file: 'server/gateway/pass.ts',
    from: 'return { status, held: { head: redact(head, secrets), rest } }',
    to: 'return { status, held: { head: Buffer.from(redact(head, secrets).toString().replace(\'"gasUsed":"0x\', \'"gasUsed":"0x1\')), rest } }',
    suite: 'real-node/gateway.test.ts',
  },
]
