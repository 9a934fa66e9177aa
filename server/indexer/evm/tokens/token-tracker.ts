import type { Queryable } from '../../../store/database.ts'
import {
  bigintColumn,
  bytesColumn,
  BinaryRows,
  numericColumn,
  rowStart,
  smallintColumn,
} from '../../../store/copy-binary.ts'
import { copyBytes } from '../../../store/copy-text.ts'
import type { Holding, MovingBlock, Nft, TokenRows, TokenState } from './token-state.ts'
import {
  readCandidates,
  readHoldings,
  readNfts,
  readProvenWrappers,
  readTokens,
  readWrapsBelow,
  writeTokenRows,
} from './token-store.ts'
import { maxRanges } from '../../../store/tokens/nft-ranges.ts'
import { isRange, type Transfer, wholeContract } from './transfers.ts'

/**
 * One movement with everything that it changes; without `value`, no balance changes. A side is undefined if
 * it is the zero address; otherwise it has the holding of the whole contract and, for an NFT, of the id. The
 * fields are not lists because a run of blocks has tens of thousands of steps, which all stay in memory until
 * the store was read.
 */
type Step = {
  readonly token: TokenState
  readonly nft: Nft | undefined
  /** Whether it is a deposit into a wrapper or a withdrawal. */
  readonly isWrap: boolean
  readonly value: bigint
  readonly losing: Holding | undefined
  readonly losingItem: Holding | undefined
  readonly gaining: Holding | undefined
  readonly gainingItem: Holding | undefined
  /** Of a movement of many ids: a row of `nft_ranges` without what is known only when it is applied. */
  readonly range: Range | undefined
}

type Range = { readonly first: string; readonly count: bigint; readonly from: string; readonly to: string }

const zeroAddress = `0x${'0'.repeat(40)}`
const wholeColumn = numericColumn(wholeContract)

/**
 * Limit of holdings and ids in memory, about half a kilobyte each. Above it, all are discarded and read
 * again.
 */
const keysKept = 60_000

/**
 * Converts the token transfers of blocks into balances, holders and totals. The newest values of recently
 * moved tokens are kept in memory; others are read. A balance has a row for each block that changed it; the
 * zero address has none. The tracker only moves forward: call `reset` after a reorg or a failed transaction.
 */
export class TokenTracker {
  readonly #chain: number
  readonly #tokens = new Map<string, TokenState>()
  readonly #steps = new Map<number, Step[]>()
  #keys = 0
  #missing = emptyMissing()
  #rows = emptyRows()
  /** Tokens whose first transfer that is in memory came with the blocks that are being loaded. */
  readonly #fresh = new Set<TokenState>()

  /** The common prefix of all rows of `balances`. */
  readonly #start: Buffer

  constructor(chain: number) {
    this.#chain = chain
    this.#start = Buffer.concat([rowStart(7), bigintColumn(chain)])
  }

  reset(): void {
    this.#tokens.clear()
    this.#steps.clear()
    this.#keys = 0
    this.#missing = emptyMissing()
    this.#rows = emptyRows()
    this.#fresh.clear()
  }

  /** Reads the values that the blocks' transfers change and that are not in memory. */
  async load(sql: Queryable, blocks: Iterable<MovingBlock>): Promise<void> {
    if (this.#keys > keysKept) this.reset()
    let first: number | undefined
    for (const { number, transfers } of blocks) {
      first ??= number
      this.#steps.set(number, this.#resolve(transfers))
    }
    for (const token of first === undefined ? [] : await readProvenWrappers(sql, this.#chain))
      this.#promote(this.#token({ token, kind: 20 }))
    const { tokens, holdings, nfts } = this.#missing
    this.#missing = emptyMissing()
    await readTokens(sql, this.#chain, tokens)
    const unmoved = tokens.filter(({ kind, transfers }) => kind === 20 && transfers === 0)
    await readCandidates(sql, this.#chain, unmoved)
    const earlier = first === undefined ? [] : await this.#readEarlierWraps(sql, first)
    // A token without rows has nothing to read.
    await readHoldings(
      sql,
      this.#chain,
      holdings.filter(({ token }) => token.known),
    )
    await readNfts(
      sql,
      this.#chain,
      nfts.filter(({ token }) => token.known),
    )
    for (const { number, transfers } of earlier) {
      this.#steps.set(number, this.#resolve(transfers))
      this.apply({ number })
    }
    // The holdings of tokens that the store does not have begin at 0.
    this.#missing = emptyMissing()
  }

  /**
   * The deposits and withdrawals from before the first transfer of tokens, which had no rows until now. No transfer
   * tells of these as well, because there was none.
   */
  async #readEarlierWraps(sql: Queryable, before: number): Promise<MovingBlock[]> {
    const fresh = [...this.#fresh].filter(({ known }) => !known)
    this.#fresh.clear()
    return readWrapsBelow(
      sql,
      this.#chain,
      fresh.map(({ token }) => token),
      before,
    )
  }

  /** Applies the transfers of the next block. The block must have been passed to `load`. */
  apply({ number }: Pick<MovingBlock, 'number'>): void {
    const steps = this.#steps.get(number)
    if (!steps) throw new Error(`the tokens of block ${number} were not read`)
    this.#steps.delete(number)
    const tokens: TokenState[] = []
    const holdings: Holding[] = []
    const move = (holding: Holding, amount: bigint) => {
      if (holding.block !== number) {
        holding.block = number
        holdings.push(holding)
      }
      holding.balance += amount
    }
    for (const { token, nft, isWrap, value, losing, losingItem, gaining, gainingItem, range } of steps) {
      if (isWrap && token.transfers === 0) this.#addCandidate(token, number)
      if (isWrap && !token.hasMoved) continue
      if (token.block !== number) {
        token.block = number
        tokens.push(token)
      }
      if (isWrap) token.firstWrap ??= number
      else token.transfers += 1
      if (nft && !nft.known) this.#addNft(nft, number)
      if (range) this.#addRange(token, range, number)
      if (value === 0n) continue
      // What a wrapper sends to nobody is still wrapped.
      const changesSupply = isWrap || token.firstWrap === undefined
      if (losing) move(losing, -value)
      else if (changesSupply) token.supply += value
      if (losingItem) move(losingItem, -value)
      if (gaining) move(gaining, value)
      else if (changesSupply) token.supply -= value
      if (gainingItem) move(gainingItem, value)
    }
    for (const holding of holdings) this.#settle(holding, number)
    for (const token of tokens) this.#addTotals(token, number)
  }

  /** Writes the rows of the blocks applied since the last call. */
  async write(sql: Queryable): Promise<void> {
    const rows = this.#rows
    this.#rows = emptyRows()
    await writeTokenRows(sql, this.#chain, rows)
  }

  /** Finds the objects that each movement changes; missing ones are created and marked for loading. */
  #resolve(transfers: readonly Transfer[]): Step[] {
    const steps: Step[] = []
    for (const transfer of transfers) {
      const token = this.#token(transfer)
      const { kind, from, to, isWrap = false } = transfer
      if (!isWrap && !token.hasMoved) {
        token.hasMoved = true
        if (kind === 20) this.#fresh.add(token)
      }
      for (const moved of transfer.moved) {
        const { id, value } = moved
        const range = isRange(kind, moved) ? { first: id, count: value, from, to } : undefined
        const hasItem = kind !== 20 && !range
        const nft = hasItem ? this.#nft(token, id) : undefined
        const moves = value > 0n && from !== to
        steps.push({
          token,
          nft,
          isWrap,
          value: moves ? value : 0n,
          losing: moves ? this.#whole(token, from) : undefined,
          losingItem: moves && hasItem ? this.#item(token, from, id) : undefined,
          gaining: moves ? this.#whole(token, to) : undefined,
          gainingItem: moves && hasItem ? this.#item(token, to, id) : undefined,
          range,
        })
      }
    }
    return steps
  }

  /** Has a contract that proved to be a wrapper counted from its first deposit on, though it never logged a transfer. */
  #promote(token: TokenState): void {
    this.#rows.proven.add(token.token)
    token.isListed = true
    if (token.hasMoved) return
    token.hasMoved = true
    this.#fresh.add(token)
  }

  #addCandidate(token: TokenState, number: number): void {
    if (token.isCandidate) return
    token.isCandidate = true
    this.#rows.candidates.set(token.token, number)
  }

  #token({ token: address, kind }: Pick<Transfer, 'token' | 'kind'>): TokenState {
    const key = kind === 20 ? address : `${kind} ${address}`
    const found = this.#tokens.get(key)
    if (found) return found
    const made: TokenState = {
      token: address,
      kind,
      known: false,
      hasMoved: false,
      isListed: false,
      isCandidate: false,
      firstWrap: undefined,
      supply: 0n,
      holders: 0,
      transfers: 0,
      ranges: 0,
      block: -1,
      whole: new Map(),
      items: new Map(),
      nfts: new Map(),
    }
    this.#tokens.set(key, made)
    this.#missing.tokens.push(made)
    this.#keys += 1
    return made
  }

  #nft(token: TokenState, id: string): Nft {
    const found = token.nfts.get(id)
    if (found) return found
    const made = { token, id, known: false }
    token.nfts.set(id, made)
    this.#missing.nfts.push(made)
    this.#keys += 1
    return made
  }

  /** The address's holding of a contract; undefined for the zero address. */
  #whole(token: TokenState, address: string): Holding | undefined {
    if (address === zeroAddress) return undefined
    return token.whole.get(address) ?? this.#makeHolding(token.whole, address, { token, address })
  }

  /** The address's holding of an id; undefined for the zero address. */
  #item(token: TokenState, address: string, id: string): Holding | undefined {
    if (address === zeroAddress) return undefined
    const key = `${address}${id}`
    return token.items.get(key) ?? this.#makeHolding(token.items, key, { token, address, id })
  }

  #makeHolding(
    into: Map<string, Holding>,
    key: string,
    { token, address, id = wholeContract }: { token: TokenState; address: string; id?: string },
  ): Holding {
    const made: Holding = {
      token,
      address,
      id,
      head: Buffer.concat([
        this.#start,
        bytesColumn(address),
        smallintColumn(token.kind),
        bytesColumn(token.token),
        id === wholeContract ? wholeColumn : numericColumn(id),
      ]),
      balance: 0n,
      settled: 0n,
      block: -1,
      peak: undefined,
    }
    into.set(key, made)
    this.#missing.holdings.push(made)
    this.#keys += 1
    return made
  }

  #settle(holding: Holding, number: number): void {
    const { token, balance, settled } = holding
    if (balance === settled) return
    holding.settled = balance
    const { balances } = this.#rows
    balances.append(holding.head)
    balances.bigint(number)
    balances.numeric(balance)
    if (holding.id !== wholeContract) return
    if (balance > 0n && settled <= 0n) token.holders += 1
    else if (balance <= 0n && settled > 0n) token.holders -= 1
    if (holding.peak === undefined || balance > holding.peak) holding.peak = balance
    this.#rows.holders.add(holding)
  }

  #addNft(nft: Nft, number: number): void {
    const { token, kind } = nft.token
    nft.known = true
    this.#rows.nfts += `${this.#chain}\t${copyBytes(token)}\t${kind}\t${nft.id}\t${number}\n`
  }

  /** Above the limit, a contract's ranges change balances of the whole contract alone. */
  #addRange(token: TokenState, { first, count, from, to }: Range, number: number): void {
    if (token.ranges === maxRanges) return
    const last = BigInt(first) + count - 1n
    const key = `${this.#chain}\t${copyBytes(token.token)}\t${token.ranges}`
    this.#rows.ranges += `${key}\t${first}\t${last}\t${copyBytes(from)}\t${copyBytes(to)}\t${number}\n`
    token.ranges += 1
  }

  #addTotals(token: TokenState, number: number): void {
    const key = `${this.#chain}\t${copyBytes(token.token)}\t${token.kind}\t${number}`
    const { tokens } = this.#rows
    // The first block of a token is that of its first transfer, or of its first deposit if it was proved to be a wrapper.
    if (token.transfers > 0) token.isListed = true
    if (!tokens.has(token) && token.isListed) tokens.set(token, number)
    token.known = true
    this.#rows.totals += `${key}\t${token.supply}\t${token.holders}\t${token.transfers}\n`
  }
}

const emptyMissing = (): { tokens: TokenState[]; holdings: Holding[]; nfts: Nft[] } => ({
  tokens: [],
  holdings: [],
  nfts: [],
})

const emptyRows = (): TokenRows => ({
  balances: new BinaryRows(),
  totals: '',
  nfts: '',
  ranges: '',
  candidates: new Map<string, number>(),
  proven: new Set<string>(),
  holders: new Set<Holding>(),
  tokens: new Map<TokenState, number>(),
})
