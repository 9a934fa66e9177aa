import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHome } from './home.ts'
import { sampleAddresses } from './testing/addresses.ts'
import { allBlocks, answerOf, resultOf } from './testing/ask.ts'
import { testNow } from './testing/start.ts'
import { allHashes, noticesOf, withHome } from './testing/with-home.ts'

const home = withHome(24)

describe('a restarted network', () => {
  test('has the same blocks after a stop, after a kill, and after damage to its saved state', async () => {
    const first = await home.start()
    expect(first.listening.state).toBe('new')
    await first.control.mine({ chain: 'c', blocks: 5, transactions: 3 })
    await first.control.reorg({ chain: 'c', depth: 2, sameTransactions: 'some' })
    await first.control.mine({ chain: 'harbor', blocks: 2 })
    const expected = await allHashes(first)
    await first.stop()
    expect(home.nodesLeft()).toBe(0)

    const second = await home.start()
    expect(second.listening.state).toBe('kept')
    expect(await allHashes(second)).toEqual(expected)
    await second.control.mine({ chain: 'c', blocks: 4, transactions: 2 })
    await second.control.reorg({ chain: 'c', depth: 2 })
    const later = await allHashes(second)
    await second.kill()
    await expect.poll(() => home.nodesLeft()).toBe(0)

    const third = await home.start()
    expect(home.nodesLeft()).toBe(3)
    expect(await allHashes(third)).toEqual(later)
    await third.stop()

    for (const folder of ['c', 'harbor'].map((key) => path.join(home.folder, key))) {
      for (const file of readdirSync(folder)) {
        if (file.endsWith('.gz')) writeFileSync(path.join(folder, file), 'not a state')
      }
    }
    const fourth = await home.start()
    expect(noticesOf(fourth)).toMatch(
      /saved state of Harbor cannot be read .* it is in .*set-aside.* now; making it again/,
    )
    expect(fourth.listening.state).toBe('kept')
    expect(await allHashes(fourth)).toEqual(later)
  })

  test('continues from the last valid block if its journal has an invalid entry', async () => {
    const first = await home.start()
    await first.control.mine({ chain: 'c', blocks: 3, transactions: 2 })
    const expected = await allHashes(first)
    await first.kill()
    const journal = path.join(home.folder, 'c', 'journal.jsonl')
    const lines = readFileSync(journal, 'utf8').split('\n')
    const third = JSON.parse(lines[2] ?? '') as object
    // A time before the block's parent, followed by a truncated line.
    writeFileSync(journal, [...lines.slice(0, 2), JSON.stringify({ ...third, time: 1 }), '{"num'].join('\n'))
    const second = await home.start()
    expect(noticesOf(second)).toContain(
      'block 27 of C-Chain could not be made again; the chain continues from there',
    )
    expect((await allHashes(second))['C-Chain']).toEqual(expected['C-Chain']?.slice(0, 27))
    const { head } = await second.control.mine({ chain: 'c', blocks: 2, transactions: 3 })
    expect(head.number).toBe(28)
  })

  test('moves unreadable files to another folder and starts, whatever a home contains', async () => {
    const first = await home.start()
    await first.control.mine({ chain: 'c', blocks: 4, transactions: 2 })
    const expected = (await allHashes(first))['C-Chain'] ?? []
    await first.kill()
    // The damage below makes the home forget the nodes of the killed network, so they are ended here.
    openHome(home.folder).release()
    await expect.poll(() => home.nodesLeft()).toBe(0)
    const at = (...names: string[]): string => path.join(home.folder, ...names)
    const lines = readFileSync(at('c', 'journal.jsonl'), 'utf8').split('\n')
    writeFileSync(at('c', 'journal.jsonl'), [...lines.slice(0, 2), 'null', ...lines.slice(2)].join('\n'))
    writeFileSync(at('meridian', 'save.json'), '{"file":')
    writeFileSync(at('harbor', 'journal.jsonl'), '\0\0\0\n{}\n')
    writeFileSync(at('primary', 'state.bin'), readFileSync(at('primary', 'state.bin')).subarray(0, 5000))
    writeFileSync(at('primary', 'journal.ndjson'), '[]\n{"n":1}\n')
    writeFileSync(at('owner.json'), '{"pid":')
    const second = await home.start()
    const notes = noticesOf(second)
    expect(notes).toMatch(/^the journal of C-Chain cannot be read from line 3 on; it is in .*set-aside/m)
    expect(notes).toMatch(/^the journal of Harbor cannot be read from line 1 on; it is in .*set-aside/m)
    expect(notes).toMatch(/^the saved state of Meridian cannot be read .* it is in .*set-aside/m)
    expect(notes).toMatch(/^the saved state of the primary network cannot be read .* it is in .*set-aside/m)
    expect(notes).toMatch(/^the journal of the primary network cannot be read from line 1 on; it is in /m)
    expect((await allHashes(second))['C-Chain']).toEqual(expected.slice(0, 27))
    await second.stop()
    const third = await home.start()
    expect(noticesOf(third).trim()).toBe('')
  })

  test('has no old states, unless it is an archive', async () => {
    const account = `0x${'11'.repeat(20)}`
    const ask = async (
      archive: boolean,
    ): Promise<{
      balance: Awaited<ReturnType<typeof answerOf>>
      sent: Awaited<ReturnType<typeof answerOf>>
    }> => {
      const sample = await home.start({ archive, testControls: false })
      const { rpcUrl } = sample.chain('C-Chain')
      const { Deployer = '' } = (await sampleAddresses(sample.url)).c.accounts
      const below = `0x${(Number(await resultOf(rpcUrl, 'eth_blockNumber')) - 1).toString(16)}`
      const answers = {
        balance: await answerOf(rpcUrl, 'eth_getBalance', account, below),
        sent: await answerOf(rpcUrl, 'eth_getTransactionCount', Deployer, '0x4'),
      }
      await sample.stop()
      return answers
    }
    const first = await ask(false)
    expect(first.sent.error?.message).toMatch(/^missing trie node/)
    const second = await ask(false)
    expect(second.balance.error).toMatchObject({ code: -32000 })
    expect(second.balance.error?.message).toMatch(/^missing trie node [0-9a-f]{64} /)
    // Four blocks, each with one contract creation by the first account.
    for (const archive of [await ask(true), await ask(true)]) {
      expect(archive.balance.result).toBe('0x0')
      expect(Number(archive.sent.result)).toBe(4)
    }
  })

  test('makes up for the time that it was not running, with a bounded number of blocks', async () => {
    const first = await home.start({ live: true })
    const before = await allHashes(first)
    await first.stop()
    const later = testNow + 40 * 86_400
    const second = await home.start({ live: true, now: later })
    const [c] = second.listening.network.chains
    const blocks = await allBlocks(c?.rpcUrl ?? '')
    expect(blocks.map(({ hash }) => hash).slice(0, 25)).toEqual(before['C-Chain']?.slice(0, 25))
    const filled = blocks.filter(({ timestamp }) => Number(timestamp) > testNow + 3600)
    expect(filled.length).toBeGreaterThan(150)
    expect(filled.length).toBeLessThan(215)
    expect(Number(blocks.at(-1)?.timestamp)).toBeGreaterThan(later - 6 * 3600)
  })
})
