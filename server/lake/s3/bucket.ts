import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { FatalError } from '../../kernel/errors.ts'
import type { Content } from '../../kernel/durable-files.ts'

/** A folder of S3-compatible storage. Keys are relative to it. */
export type Bucket = {
  /** The keys that begin with a text, in order. */
  keys(prefix: string): Promise<string[]>
  read(key: string): Promise<string>
  /** Writes an object to a file. */
  download(key: string, path: string): Promise<void>
  /**
   * Stores a file, whose content the storage compares with its checksum. Returns false, and stores nothing, if there is
   * an object of that name, unless it may be replaced. Storage that knows no conditions replaces it.
   */
  put(key: string, path: string, content: Content, mayReplace: boolean): Promise<boolean>
  /** The checksum with which an object was stored; undefined if there is none. */
  checksum(key: string): Promise<string | undefined>
  close(): void
}

/** Milliseconds between attempts to store a file: the first delay, and the longest before which another one is made. */
const firstDelay = 250
const longestDelay = 1_000

const ignore = (): void => undefined

/**
 * Opens `s3://bucket/prefix`. Credentials, region and endpoint come from where every program of AWS finds them: the
 * environment (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT_URL` …), the shared files, or the machine.
 */
export function openBucket(root: string, env: NodeJS.ProcessEnv): Bucket {
  const [, name, folder = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(root) ?? []
  if (name === undefined) throw new FatalError(`${root}: is not s3://BUCKET or s3://BUCKET/PREFIX`)
  const hasEndpoint = (env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']) !== undefined
  // The client's version is pinned: what a later one needs of Node is not a concern of who runs this.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const client = new S3Client({
    // Servers of one's own rarely have a host name for each bucket.
    forcePathStyle: hasEndpoint,
    // Files are compared with the checksums of the manifest.
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Failures are thrown; it would also print them.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  })
  const base = folder === '' ? '' : `${folder}/`
  const object = (key: string) => ({ Bucket: name, Key: base + key })
  return {
    async keys(prefix) {
      const found: string[] = []
      const pages = paginateListObjectsV2({ client }, { Bucket: name, Prefix: base + prefix })
      for await (const { Contents = [] } of pages)
        found.push(...Contents.flatMap(({ Key }) => (Key === undefined ? [] : Key.slice(base.length))))
      return found
    },
    async read(key) {
      const { Body } = await client.send(new GetObjectCommand(object(key)))
      return (await Body?.transformToString()) ?? ''
    },
    async download(key, path) {
      const { Body } = await client.send(new GetObjectCommand(object(key)))
      await pipeline(Body as Readable, createWriteStream(path, { flush: true }))
    },
    async put(key, path, { size, sha256 }, mayReplace) {
      const send = (isConditional: boolean) =>
        client.send(
          new PutObjectCommand({
            ...object(key),
            Body: createReadStream(path),
            ContentLength: size,
            ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
            Metadata: { sha256 },
            ...(isConditional && { IfNoneMatch: '*' }),
          }),
        )
      // The client repeats requests itself, but none whose body is a stream.
      let isConditional = !mayReplace
      for (let delay = firstDelay; ; delay *= 2) {
        try {
          await send(isConditional)
          return true
        } catch (error) {
          const status = statusOf(error)
          // Of two conditional writes at once, the other one may have been first.
          if (status === 412 || status === 409) return false
          // The storage knows no conditions.
          if (status === 501 && isConditional) isConditional = false
          else if (delay > longestDelay || (status !== undefined && status < 500 && status !== 429))
            throw error
          else await sleep(delay)
        }
      }
    },
    async checksum(key) {
      try {
        const { Metadata } = await client.send(new HeadObjectCommand(object(key)))
        return Metadata?.['sha256'] ?? ''
      } catch (error) {
        if (statusOf(error) === 404) return undefined
        throw error
      }
    },
    close: () => client.destroy(),
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
