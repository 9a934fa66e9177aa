import { randomUUID } from 'node:crypto'
import {
  channelDestination,
  channelNeeds,
  channelSecrets,
  createWatchChannel,
  deleteWatchChannel,
  listWatchChannels,
  testWatchChannel,
  updateWatchChannel,
  type ChannelDefinition,
  type WatchChannel,
} from '../../../contract/watch/channels.ts'
import { watchBounds } from '../../../contract/watch/fields.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { DeliveryFailure } from '../../kernel/guarded-post.ts'
import { badRequest, notFound } from '../../kernel/http-errors.ts'
import type { Queryable } from '../../store/database.ts'
import { readChannels, type ChannelRow } from '../../store/watch/read-rules.ts'
import { readChannelUse } from '../../store/watch/read-watch.ts'
import { createDeliver, forbiddenReason } from '../../watch/channels/deliver.ts'
import type { Message } from '../../watch/channels/message.ts'
import type { WatchAccess } from './access.ts'
import { channelAnswer } from './answers.ts'
import { within } from '../../kernel/within.ts'

async function findChannel(sql: Queryable, channel: string): Promise<ChannelRow> {
  const [row] = await readChannels(sql, channel)
  if (!row) throw notFound(`there is no channel ${channel}`)
  return row
}

async function answer(sql: Queryable, channel: string): Promise<WatchChannel> {
  const use = await readChannelUse(sql)
  return channelAnswer(
    await findChannel(sql, channel),
    use.find((each) => each.channel === channel),
  )
}

type Split = { settings: Record<string, unknown>; secrets: Record<string, unknown> }

/**
 * The settings and the secrets of a definition. Secrets that are left out are those of `before`; a 400 asks for them
 * where they would go elsewhere, or by another way, than before.
 */
function split(
  { kind, ...given }: ChannelDefinition,
  before?: Pick<ChannelRow, 'settings' | 'secrets'>,
): Split {
  const names = channelSecrets[kind]
  const settings: Record<string, unknown> = {}
  const secrets: Record<string, unknown> = { ...before?.secrets }
  for (const [name, value] of Object.entries(given[kind] ?? {})) {
    if (names.includes(name)) secrets[name] = value
    else settings[name] = value
  }
  const changed = channelDestination[kind].find((name) => before && before.settings[name] !== settings[name])
  const kept = names.filter(
    (name) => before?.secrets[name] !== undefined && !Object.hasOwn(given[kind] ?? {}, name),
  )
  if (changed !== undefined && kept.length > 0)
    throw badRequest(
      kept.map(
        (name) =>
          `${kind}.${name}: must be given again, because ${changed} changes: it would be sent somewhere else, or by another way`,
      ),
    )
  const needed = channelNeeds[kind]
  if (needed !== undefined && secrets[needed] === undefined)
    throw badRequest([`${kind}.${needed}: is required`])
  return { settings, secrets }
}

const testMessage = (now: number): Message => ({
  event: 'test',
  alarmId: randomUUID(),
  title: 'Ridgeline can reach you',
  text: 'This is a test. An alarm would look like this.',
  severity: 'info',
  kind: 'test',
  ruleId: randomUUID(),
  ruleName: 'Test',
  subject: { kind: 'service', id: 'service' },
  unit: '',
  timestamp: now,
})

/** Operations on channels (contract/watch/channels.ts). No answer and no log line holds a secret. */
export function watchChannelRoutes(context: RouteContext, access: WatchAccess): Implementation[] {
  const { config, store, clock } = context
  const { hosts, sendSeconds } = config.watch
  const deliver = createDeliver({ hosts }, sendSeconds * 1000)
  /** Throws a 400 for a destination that nothing is sent to. */
  const checkDestination = async ({ kind, ...given }: ChannelDefinition): Promise<void> => {
    const settings: Readonly<Record<string, unknown>> = given[kind] ?? {}
    const reason = await within(sendSeconds * 1000, (signal) =>
      forbiddenReason({ kind, settings }, { hosts }, signal),
    )
    const field = ['url', 'apiUrl', 'serverUrl', 'host'].find((name) => settings[name] !== undefined)
    if (reason !== undefined) throw badRequest([`${kind}.${field ?? ''}: ${reason}`])
  }
  return [
    access.reads(listWatchChannels, async () => {
      const { database } = store.get()
      const [rows, use] = await Promise.all([readChannels(database), readChannelUse(database)])
      return {
        channels: rows.map((row) =>
          channelAnswer(
            row,
            use.find(({ channel }) => channel === row.channel),
          ),
        ),
      }
    }),

    access.writes(createWatchChannel, async ({ body }) => {
      await checkDestination(body)
      return store.write(async (sql) => {
        if ((await readChannels(sql)).length >= watchBounds.channels) {
          throw badRequest([`name: there are at most ${watchBounds.channels} channels`])
        }
        const { settings, secrets } = split(body)
        const channel = randomUUID()
        await sql`
          insert into watch_channels (channel, name, kind, enabled, sends_resolved, settings, secrets, created_ts, updated_ts)
          values (${channel}, ${body.name}, ${body.kind}, ${body.isEnabled}, ${body.sendsResolved},
            ${JSON.stringify(settings)}::text::jsonb, ${JSON.stringify(secrets)}::text::jsonb, ${clock()}, ${clock()})`
        return answer(sql, channel)
      })
    }),

    access.writes(updateWatchChannel, async ({ params, body }) => {
      await checkDestination(body)
      return store.write(async (sql) => {
        const before = await findChannel(sql, params.channelId)
        if (before.kind !== body.kind)
          throw badRequest([`kind: a channel of the kind ${before.kind} keeps it`])
        const { settings, secrets } = split(body, before)
        await sql`
          update watch_channels set name = ${body.name}, enabled = ${body.isEnabled},
            sends_resolved = ${body.sendsResolved}, settings = ${JSON.stringify(settings)}::text::jsonb,
            secrets = ${JSON.stringify(secrets)}::text::jsonb, updated_ts = ${clock()}
          where channel = ${params.channelId}`
        return answer(sql, params.channelId)
      })
    }),

    access.writes(deleteWatchChannel, async ({ params }) => {
      return store.write(async (sql) => {
        const { channel } = await findChannel(sql, params.channelId)
        await sql`
          update watch_rules set channels = array_remove(channels, ${channel}::uuid) where ${channel}::uuid = any(channels)`
        await sql`
          update watch_outbox set status = 'dropped', ended_ts = ${clock()}, last_reason = 'its channel was deleted'
          where channel = ${channel} and status = 'waiting'`
        await sql`delete from watch_channels where channel = ${channel}`
        return { id: channel }
      })
    }),

    access.writes(testWatchChannel, async ({ params }) => {
      const { kind, settings, secrets } = await findChannel(store.get().database, params.channelId)
      const started = performance.now()
      const envelope = {
        message: testMessage(clock()),
        deliveryId: randomUUID(),
        sentTs: clock(),
        publicUrl: config.publicUrl,
      }
      const spent = (): number => Math.round(performance.now() - started)
      try {
        await deliver({ kind, settings: { ...settings, ...secrets } }, envelope, new AbortController().signal)
        return { isDelivered: true, milliseconds: spent() }
      } catch (error) {
        if (!(error instanceof DeliveryFailure)) throw error
        return { isDelivered: false, milliseconds: spent(), reason: error.message }
      }
    }),
  ]
}
