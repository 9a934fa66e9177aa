import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

/** Which of several servers connections go to, as libpq's `target_session_attrs`. */
type WantedServer = 'any' | 'primary' | 'standby' | 'prefer-standby' | 'read-write' | 'read-only'

type Address = { readonly host: string; readonly port: number } | { readonly path: string }

/** What a server says of itself. `replayed` is its position in the log as a number of bytes; a primary has none. */
type Look = { readonly standby: boolean; readonly readOnly: boolean; readonly replayed: bigint | undefined }

type ServersOptions = {
  /** Which server to take if the URL names several and does not say; by default the primary. */
  readonly wanted?: WantedServer
  /**
   * The position in the log that a standby must have replayed to take over from the server that was read from until
   * now; undefined if it is not known.
   */
  readonly floor?: () => Promise<bigint | undefined>
}

/** Milliseconds until a server that does not answer counts as lost. */
const lookWithin = 2_000
/** Milliseconds for which a standby that is behind is waited for, and between two looks at it. */
const behind = { wait: 3_000, pause: 100 }

/** No server can be used now. The code is SERVER_ABSENT, or SERVER_BEHIND if a standby only has to catch up. */
class NoServerError extends Error {
  override readonly name = 'NoServerError'
  readonly code: 'SERVER_ABSENT' | 'SERVER_BEHIND'
  constructor(code: NoServerError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/**
 * The servers of a database URL, of which one is used at a time: pools that share this object connect to the same one.
 * After a connection is lost, the next one looks again which server is the wanted one. The driver can choose among
 * hosts as well, but retries without a pause, and never fails, while no server is acceptable.
 */
export class Servers {
  readonly #addresses: readonly Address[]
  readonly #wanted: WantedServer
  readonly #floor: (() => Promise<bigint | undefined>) | undefined
  readonly #listeners = new Set<() => void>()
  #used: Address | undefined
  #current: Address | undefined
  #choosing: Promise<Address> | undefined
  /** User, password, database and TLS for the driver, and the servers' names for its error messages. */
  readonly login: {
    readonly host: readonly string[]
    readonly port: readonly number[]
    readonly user: string
    readonly pass: string
    readonly database: string
    readonly ssl: unknown
  }
  /** Whether the URL leads to a pooler that gives a connection to each transaction (`pgbouncer=true`). */
  readonly isPooler: boolean

  /** `url` is a PostgreSQL URL, which may list several hosts. Throws if the driver cannot parse it. */
  constructor(url: string, options: ServersOptions = {}) {
    // The driver's own parsing; nothing connects before the first statement.
    const parsed = postgres(url, { max: 1 }).options as unknown as {
      host: string[]
      port: number[]
      user: string
      pass: string
      database: string
      ssl: unknown
      target_session_attrs: WantedServer | null
      connection: Record<string, string>
    }
    const folder = parsed.connection['host']
    const [port = 5432] = parsed.port
    this.#addresses = folder?.startsWith('/')
      ? [{ path: `${folder}/.s.PGSQL.${port}` }]
      : parsed.host.map((host, index) => ({ host, port: parsed.port[index] ?? port }))
    const several = this.#addresses.length > 1
    this.#wanted = parsed.target_session_attrs ?? (several ? (options.wanted ?? 'primary') : 'any')
    this.#floor = options.floor
    this.isPooler = parsed.connection['pgbouncer'] === 'true'
    const { user, pass, database, ssl } = parsed
    // A list of one, because with several the driver would not report that a connection failed.
    const names = this.#addresses.map(nameOf)
    this.login = {
      host: [names.join(',')],
      port: [port],
      user,
      pass,
      database: decodeURIComponent(database),
      ssl,
    }
  }

  /** Calls the listener when another server is used from now on, before the first connection to it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * The driver's socket factory. It never rejects: the driver would lose the place of that connection in its pool.
   * Instead the socket fails.
   */
  async connect(): Promise<Duplex> {
    let address: Address
    try {
      address =
        this.#current ??
        (await (this.#choosing ??= this.#choose().finally(() => (this.#choosing = undefined))))
    } catch (error) {
      return failing(error as Error)
    }
    const socket = open(address)
    socket.once('close', () => {
      if (this.#current === address) this.#current = undefined
    })
    return socket
  }

  async #choose(): Promise<Address> {
    const deadline = performance.now() + behind.wait
    const floor = this.#used && (await this.#floor?.())
    for (;;) {
      const found = await this.#find(floor)
      if (!(found instanceof NoServerError)) {
        const isOther = this.#used !== undefined && this.#used !== found
        this.#used = this.#current = found
        if (isOther) for (const listener of this.#listeners) listener()
        return found
      }
      if (found.code !== 'SERVER_BEHIND' || performance.now() > deadline) throw found
      await delay(behind.pause)
    }
  }

  async #find(floor: bigint | undefined): Promise<Address | NoServerError> {
    const [only, ...more] = this.#addresses
    if (only && more.length === 0 && this.#wanted === 'any' && floor === undefined) return only
    // The server in use comes first: it is kept as long as it does.
    const order = this.#used
      ? [this.#used, ...this.#addresses.filter((address) => address !== this.#used)]
      : this.#addresses
    const looks = order.map((address) => this.#look(address).catch((error: unknown) => error as Error))
    let fallback: Address | undefined
    let reason: NoServerError | undefined
    let failure: unknown
    for (const [index, address] of order.entries()) {
      const look = await looks[index]
      if (look === undefined || look instanceof Error) {
        failure = look
        continue
      }
      if (look.replayed !== undefined && floor !== undefined && look.replayed < floor) {
        reason = new NoServerError(
          'SERVER_BEHIND',
          'the replica has not caught up with what was already shown',
        )
      } else if (isWanted(look, this.#wanted)) return address
      else if (this.#wanted === 'prefer-standby') fallback ??= address
    }
    if (fallback && !reason) return fallback
    const kind = this.#wanted === 'any' ? 'server' : this.#wanted
    return (
      reason ??
      new NoServerError('SERVER_ABSENT', `no ${kind} answers at ${order.map(nameOf).join(', ')}`, failure)
    )
  }

  /** Asks a server what it is, on a connection of its own. */
  async #look(address: Address): Promise<Look> {
    const sql = postgres({
      ...this.login,
      socket: () => open(address),
      max: 1,
      fetch_types: false,
      prepare: false,
      connect_timeout: lookWithin / 1_000,
      onnotice: () => undefined,
      connection: { application_name: 'ridgeline choice' },
    } as unknown as postgres.Options<Record<string, never>>)
    const late = new AbortController()
    try {
      const asked = sql<{ standby: boolean; read_only: boolean; replayed: string | null }[]>`
        select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only,
          case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as replayed`
      const [row] = await Promise.race([
        asked,
        delay(lookWithin, [], { signal: late.signal }).then(() => {
          throw new Error(`no answer within ${lookWithin} ms`)
        }),
      ])
      if (!row) throw new Error('no answer')
      const replayed = row.replayed === null ? undefined : BigInt(row.replayed)
      return { standby: row.standby, readOnly: row.read_only, replayed }
    } finally {
      late.abort()
      sql.end({ timeout: 0 }).catch(() => undefined)
    }
  }
}

function isWanted({ standby, readOnly }: Look, wanted: WantedServer): boolean {
  switch (wanted) {
    case 'any':
      return true
    case 'primary':
      return !standby
    case 'read-write':
      return !readOnly
    case 'read-only':
      return readOnly
    case 'standby':
    case 'prefer-standby':
      return standby
  }
}

const nameOf = (address: Address): string =>
  'path' in address ? address.path : `${address.host}:${address.port}`

/**
 * A socket that may still be connecting. Over TCP it sets noDelay, which the driver does not: otherwise every COPY waits
 * 40 ms or more for a delayed acknowledgement.
 */
function open(address: Address): Socket {
  if ('path' in address) return connect(address.path)
  // The driver names the host to TLS by this property.
  return Object.assign(connect({ ...address, noDelay: true }), { host: address.host })
}

/** A stream that fails with the error on its first write. */
function failing(error: Error): Duplex {
  return new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => done(error),
  })
}
