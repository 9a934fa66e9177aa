import { forEach } from '../kernel/for-each.ts'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Content,
  type Entry,
  copyFile,
  createFile,
  entriesBelow,
  isMissing,
} from '../kernel/durable-files.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { connectLike } from '../store/process-connections.ts'

/*
 * An online base backup by PostgreSQL's low-level API, because the bundled server comes without pg_basebackup:
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 *
 * While the data folder is copied, its files change. The write-ahead log between pg_backup_start and
 * pg_backup_stop belongs to the backup: a server that starts on the copy replays it, which makes every page
 * whole and every transaction complete or absent.
 */

/** The advisory lock of a backup: one at a time on a server. */
const lockSpace = 7190

/** Files copied at the same time. */
const width = 4

/** The WAL's file names: timeline, then the segment's number in two halves. */
const segmentName = /^[0-9A-F]{24}$/

type BaseBackup = {
  readonly startLsn: string
  readonly stopLsn: string
  readonly schema: string
  readonly chains: { chain: number; block: number }[]
  readonly folders: string[]
  readonly files: (Content & { readonly path: string })[]
}

/**
 * Copies the data folder of a running server into the existing, empty folder `target`, with the write-ahead log
 * that makes it consistent. `url` is the server's; it must run on this machine with `wal_level` replica. A killed
 * or failed backup leaves nothing on the server: what it holds there ends with its connection.
 */
export async function copyServer(url: string, dataFolder: string, target: string): Promise<BaseBackup> {
  const pool = openDatabase(url, { max: 1, applicationName: 'ridgeline backup' })
  const lost = new AbortController()
  const session = connectLike(pool, () => lost.abort(new Error('the connection to the database was lost')))
  try {
    await prepare(session)
    const startLsn = await start(session)
    const files: BaseBackup['files'] = []
    const folders: string[] = []
    const copy = async ({ path, isFolder }: Entry): Promise<void> => {
      lost.signal.throwIfAborted()
      if (isFolder) return
      try {
        files.push({ path, ...(await copyFile(join(dataFolder, path), join(target, path))) })
      } catch (error) {
        // A table that was dropped meanwhile: the log drops it in the copy as well.
        if (!isMissing(error)) throw error
      }
    }
    await forEach(withFolders(dataFolder, target, folders), width, copy)
    // Last of all, as pg_basebackup does.
    const control = await readUndivided(join(dataFolder, controlFile))
    files.push({ path: controlFile, ...(await createFile(join(target, controlFile), control)) })
    lost.signal.throwIfAborted()
    const heights = await session<{ schema: string; chain: bigint | null; block: bigint | null }[]>`
      select (select max(name) from migrations) as schema, c.chain, (select max(number) from blocks b where b.chain = c.chain) as block
      from (select 1) one left join chains c on true order by c.chain`
    const { stopLsn, label, segments } = await stop(session, startLsn)
    files.push({ path: 'backup_label', ...(await createFile(join(target, 'backup_label'), label)) })
    // The temporary replication slot keeps these files until the session ends.
    await forEach(segments, width, async (name) => {
      const path = `pg_wal/${name}`
      files.push({ path, ...(await copyFile(join(dataFolder, path), join(target, path))) })
    })
    return {
      startLsn,
      stopLsn,
      schema: heights[0]?.schema ?? '',
      chains: heights.flatMap(({ chain, block }) =>
        chain === null || block === null ? [] : [{ chain: Number(chain), block: Number(block) }],
      ),
      folders,
      files,
    }
  } finally {
    await Promise.all([session.end({ timeout: 1 }), pool.end({ timeout: 1 })])
  }
}

async function prepare(session: Database): Promise<void> {
  const [state] = await session<{ locked: boolean; spaces: bigint }[]>`
    select pg_try_advisory_lock(${lockSpace}, 0) as locked, (select count(*) from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as spaces`
  if (state?.locked !== true) throw new Error('another backup of this server is running')
  if (state.spaces > 0n) throw new Error('the server has tablespaces outside its data folder: use pgBackRest')
}

/** Begins the backup and returns the position from which on the log is needed. */
async function start(session: Database): Promise<string> {
  // A temporary slot keeps the log that is written meanwhile, and ends with the session.
  await session`select pg_create_physical_replication_slot('ridgeline_backup', true, true)`
  // Fast: an immediate checkpoint, rather than one spread over minutes.
  const [row] = await session<{ lsn: string }[]>`select pg_backup_start('ridgeline', true)::text as lsn`
  return String(row?.lsn)
}

/** Ends the backup: its label, and the log files that belong to it. */
async function stop(
  session: Database,
  startLsn: string,
): Promise<{ stopLsn: string; label: string; segments: string[] }> {
  const [row] = await session<
    { lsn: string; labelfile: string; size: bigint; first: string; last: string }[]
  >`
    select s.lsn::text, s.labelfile, w.size, pg_walfile_name(${startLsn}::pg_lsn) as first, pg_walfile_name(s.lsn) as last
    from pg_backup_stop(false) s, (select setting::bigint as size from pg_settings where name = 'wal_segment_size') w`
  if (!row || !segmentName.test(row.first) || !segmentName.test(row.last))
    throw new Error('PostgreSQL did not end the backup')
  return { stopLsn: row.lsn, label: row.labelfile, segments: segmentsBetween(row.first, row.last, row.size) }
}

/**
 * The names of log files from `first` to `last`, with `size` bytes each. The last eight digits count the files
 * of 4 GiB, so they carry early.
 */
export function segmentsBetween(first: string, last: string, size: bigint): string[] {
  const each = 0x1_0000_0000n / size
  const numberOf = (name: string): bigint =>
    BigInt(`0x${name.slice(8, 16)}`) * each + BigInt(`0x${name.slice(16)}`)
  const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0')
  const names = []
  for (let number = numberOf(first); number <= numberOf(last); number += 1n)
    names.push(first.slice(0, 8) + hex(number / each) + hex(number % each))
  return names
}

/** The content of a small file that the server may be writing: a checkpoint may come in the middle of a read. */
async function readUndivided(path: string): Promise<Buffer> {
  for (let last = await readFile(path); ;) {
    const next = await readFile(path)
    if (next.equals(last)) return next
    last = next
  }
}

const controlFile = 'global/pg_control'

/** Folders whose content a server creates again; the log is copied by itself. */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal/archive_status',
  'pg_wal/summaries',
])

/** Files of the running server, and what it would create again. */
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|postgresql\.auto\.conf\.tmp|current_logfiles.*|pg_wal\/[^/]+|global\/pg_control|(.*\/)?(pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+(_\w+)?(\.\d+)?))$/

/** Whether a file of the data folder belongs to the copy that is made while the server runs. */
const isCopied = (path: string): boolean => !leftOut.test(path)

/** The files to copy; the folders are created on the way and noted. */
async function* withFolders(source: string, target: string, folders: string[]): AsyncGenerator<Entry> {
  for await (const entry of entriesBelow(source, (path) => !emptied.has(path))) {
    if (entry.isFolder) {
      if (/(^|\/)pgsql_tmp/.test(entry.path)) continue
      await mkdir(join(target, entry.path), { mode: 0o700 })
      folders.push(entry.path)
    } else if (isCopied(entry.path)) yield entry
  }
}
