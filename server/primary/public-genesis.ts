import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { cb58 } from '../../protocol/ids/text.ts'

/** The files of public networks (server/primary/genesis), by the hash of their bytes: the parent of block 0. */
const files = new Map<string, 'mainnet' | 'fuji'>([
  ['UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk', 'mainnet'],
  ['MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3', 'fuji'],
])

/** Beside this module, or, once built, beside the program or the folder of what programs share. */
const folders = ['./genesis/', '../genesis/']

/** The public network whose block 0 has this parent; undefined for any other. */
export const publicNetworkOf = (parentOfBlock0: Uint8Array): 'mainnet' | 'fuji' | undefined =>
  files.get(cb58(parentOfBlock0))

/**
 * The genesis bytes of the public network whose block 0 has this parent; undefined for any other network, whose bytes are
 * in the setting `genesisFile`.
 */
export function publicGenesis(parentOfBlock0: Uint8Array): Uint8Array | undefined {
  const name = publicNetworkOf(parentOfBlock0)
  if (name === undefined) return undefined
  const paths = folders.map((folder) => fileURLToPath(new URL(`${folder}${name}.bin.br`, import.meta.url)))
  const path = paths.find((each) => existsSync(each))
  if (path === undefined) throw new Error(`the genesis of ${name} is missing from this installation`)
  return brotliDecompressSync(readFileSync(path))
}
