import { nodeIdOfText, nodeIdText, TextFormError } from '../../../protocol/ids/text.ts'
import type { Database } from '../../store/database.ts'
import type { TxPlace } from '../../store/primary/read-primary.ts'
import { readNodesPast } from '../../store/network/read-validators.ts'

type Known = { nodes: Map<string, Buffer>; last: TxPlace }

const nothing: TxPlace = { height: -2n, index: -1 }

/**
 * Finds nodes by a part of their id. The texts of all nodes that ever validated are kept in memory. Stakers
 * of accepted blocks never disappear, so only new ones are read.
 */
export class NodeNames {
  readonly #known = new Map<number, Known>()

  /** The nodes whose id is or contains one of the texts, ignoring case. */
  async find(database: Database, chain: number, texts: readonly string[]): Promise<Buffer[]> {
    const whole: Buffer[] = []
    const parts: string[] = []
    for (const text of texts) {
      const node = wholeNode(text)
      if (node) whole.push(node)
      else parts.push(text.toLowerCase())
    }
    if (parts.length === 0) return whole
    const found = new Map(whole.map((node) => [node.toString('hex'), node]))
    for (const [text, node] of (await this.#load(database, chain)).nodes) {
      if (parts.some((part) => text.includes(part))) found.set(node.toString('hex'), node)
    }
    return [...found.values()]
  }

  async #load(database: Database, chain: number): Promise<Known> {
    const known = this.#known.get(chain) ?? { nodes: new Map<string, Buffer>(), last: nothing }
    const { nodes, last } = await readNodesPast(database, chain, known.last)
    const wentBack = last === undefined || isBefore(last, known.last)
    if (wentBack && known.last !== nothing) {
      // The chain was indexed from the start, so the cache is invalid.
      this.#known.delete(chain)
      return this.#load(database, chain)
    }
    for (const node of nodes) known.nodes.set(nodeIdText(node).toLowerCase(), node)
    const loaded = { nodes: known.nodes, last: last ?? nothing }
    this.#known.set(chain, loaded)
    return loaded
  }
}

function wholeNode(text: string): Buffer | undefined {
  try {
    return Buffer.from(nodeIdOfText(text))
  } catch (error) {
    if (error instanceof TextFormError) return undefined
    throw error
  }
}

const isBefore = (left: TxPlace, right: TxPlace): boolean =>
  left.height === right.height ? left.index < right.index : left.height < right.height
