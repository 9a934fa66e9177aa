import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { within } from '../kernel/within.ts'

/** A service with Sourcify's API, and the operator's token for it. */
export type Service = { readonly url: string; readonly token: string | undefined }

/** The folders of Sourcify's layout: exact matches, and others. */
const folders = { exact_match: 'full_match', match: 'partial_match' } as const

const listed = z.object({
  results: z.array(
    z.object({ address: z.string(), matchId: z.string(), match: z.enum(['exact_match', 'match']) }),
  ),
})
const contract = z.object({
  sources: z.record(z.string(), z.object({ content: z.string() })),
  metadata: z.unknown(),
  runtimeBytecode: z
    .object({ transformationValues: z.record(z.string(), z.unknown()).optional() })
    .optional(),
  creationBytecode: z
    .object({ transformationValues: z.record(z.string(), z.unknown()).optional() })
    .optional(),
  deployment: z.object({ transactionHash: z.string().nullable() }).optional(),
})
const job = z.object({
  isJobCompleted: z.boolean(),
  error: z.object({ message: z.string() }).optional(),
})

const requestMs = 60_000
/** Milliseconds between looks at a check, and after a refusal because too many wait. */
const pauseMs = 500

async function ask(
  { url, token }: Service,
  path: string,
  body?: unknown,
): Promise<{ status: number; value: unknown }> {
  return within(requestMs, async (signal) => {
    const response = await fetch(`${url}/sourcify/v2${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(token !== undefined && { 'x-ridgeline-token': token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal,
    })
    return { status: response.status, value: await response.json() }
  })
}

async function read<Schema extends z.ZodType>(
  service: Service,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { status, value } = await ask(service, path)
  if (status !== 200) throw new Error(`${service.url} answers ${status}: ${JSON.stringify(value)}`)
  return schema.parse(value)
}

/**
 * Writes the verified contracts of a chain into a folder in Sourcify's layout. Returns how many were written, and how many
 * were left out because they have no metadata. Throws an Error if the service does not answer.
 */
export async function exportContracts(
  service: Service,
  chainId: string,
  folder: string,
): Promise<{ readonly written: number; readonly left: number }> {
  let written = 0
  let left = 0
  for (let after = ''; ;) {
    const { results } = await read(service, `/contracts/${chainId}?limit=200${after}`, listed)
    for (const { address, match } of results) {
      const fields = 'sources,metadata,deployment,runtimeBytecode,creationBytecode'
      const found = await read(service, `/contract/${chainId}/${address}?fields=${fields}`, contract)
      if (found.metadata === null || found.metadata === undefined) {
        left++
        continue
      }
      await writeContract(join(folder, 'contracts', folders[match], chainId, address), found)
      written++
    }
    const last = results.at(-1)
    if (results.length < 200 || !last) return { written, left }
    after = `&afterMatchId=${last.matchId}`
  }
}

async function writeContract(folder: string, found: z.output<typeof contract>): Promise<void> {
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  await write('metadata.json', JSON.stringify(found.metadata))
  const names = new Set<string>()
  for (const [path, { content }] of Object.entries(found.sources)) {
    let name = fileOf(path)
    // Two paths may become one; an import recognizes sources by their hashes.
    while (names.has(name.toLowerCase())) name = `${name}_`
    names.add(name.toLowerCase())
    await write(`sources/${name}`, content)
  }
  const { constructorArguments } = found.creationBytecode?.transformationValues ?? {}
  if (typeof constructorArguments === 'string') await write('constructor-args.txt', constructorArguments)
  const { libraries } = found.runtimeBytecode?.transformationValues ?? {}
  if (libraries !== undefined) await write('library-map.json', JSON.stringify(libraries))
  const hash = found.deployment?.transactionHash
  if (hash) await write('creator-tx-hash.txt', hash)
}

/** A path of a source as that of a file below a folder, whatever it has in it. */
function fileOf(path: string): string {
  return path
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => part.replaceAll(/[^\w.@+ -]/g, '_').slice(0, 200))
    .join('/')
}

/**
 * Gives every contract of a folder in Sourcify's layout to a service, one after the other. `say` is told of each that was
 * not verified. Throws an Error if the service does not answer.
 */
export async function importContracts(
  service: Service,
  folder: string,
  say: (line: string) => void,
): Promise<{ readonly verified: number; readonly failed: number }> {
  let verified = 0
  let failed = 0
  for (const place of await contractsIn(folder)) {
    const problem = await importContract(service, place)
    if (problem === undefined) verified++
    else {
      failed++
      say(`${place.address} on chain ${place.chainId}: ${problem}`)
    }
  }
  return { verified, failed }
}

type Place = { readonly folder: string; readonly chainId: string; readonly address: string }

async function contractsIn(folder: string): Promise<Place[]> {
  const places: Place[] = []
  for (const kind of Object.values(folders)) {
    const top = join(folder, 'contracts', kind)
    for (const chainId of await namesIn(top))
      for (const address of await namesIn(join(top, chainId)))
        if (/^\d+$/.test(chainId) && /^0x[0-9a-fA-F]{40}$/.test(address))
          places.push({ folder: join(top, chainId, address), chainId, address })
  }
  return places
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Imports one contract; returns why it could not be verified. */
async function importContract(
  service: Service,
  { folder, chainId, address }: Place,
): Promise<string | undefined> {
  const metadata: unknown = JSON.parse(await readFile(join(folder, 'metadata.json'), 'utf8'))
  const sources: Record<string, string> = {}
  for (const entry of await readdir(join(folder, 'sources'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    sources[file.slice(folder.length)] = await readFile(file, 'utf8')
  }
  for (;;) {
    const { status, value } = await ask(service, `/verify/metadata/${chainId}/${address}`, {
      metadata,
      sources,
    })
    if (status === 409) return undefined
    if (status === 429) {
      await delay(pauseMs)
      continue
    }
    const { message, verificationId } = value as { message?: unknown; verificationId?: string }
    if (status !== 202 || verificationId === undefined) return `${status}: ${String(message)}`
    for (;;) {
      const { isJobCompleted, error } = await read(service, `/verify/${verificationId}`, job)
      if (isJobCompleted) return error?.message
      await delay(pauseMs)
    }
  }
}
