import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import {
  createWatchSilence,
  endWatchSilence,
  getWatchFeed,
  listWatchAlarms,
  listWatchDeliveries,
  listWatchSilences,
  listWatchStates,
  retryWatchDelivery,
} from '../../../contract/watch/alarms.ts'
import { getWatchSummary } from '../../../contract/watch/summary.ts'
import { watchBounds } from '../../../contract/watch/fields.ts'
import { implement, MediaAnswer, weakTag, type Implementation } from '../../http/bind.ts'
import { openList } from '../../http/keyset-list.ts'
import { isOwnHost } from '../../http/operator.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest, HttpError, notFound } from '../../kernel/http-errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { reviveMessage } from '../../store/watch/outbox.ts'
import { readMembers, readSilences } from '../../store/watch/read-rules.ts'
import {
  readAlarms,
  readDeliveries,
  readFleets,
  readStatesOfRules,
  readSummary,
} from '../../store/watch/read-watch.ts'
import { memberText } from '../../watch/rules.ts'
import type { WatchAccess } from './access.ts'
import {
  alarmAnswer,
  deliveryAnswer,
  nameOnChain,
  optional,
  seconds,
  silenceAnswer,
  subjectAnswer,
  unitOf,
} from './answers.ts'
import { alarmFeed, feedType } from './feed.ts'
import { findFleet, newest } from './fleets.ts'
import { memberBytes } from './members.ts'

const cursor = { ts: 'bigint', id: 'text' } as const

/**
 * The origin under which a reader finds the dashboard: the operator's own, or a name of this machine. Whoever sends
 * another Host does not choose where the links of a feed lead: they are paths then.
 */
const originOf = (request: FastifyRequest, { publicUrl, gateway }: Config): string =>
  publicUrl ?? (isOwnHost(request.headers, gateway.hosts) ? `${request.protocol}://${request.host}` : '')

/** States, alarms, messages and silences (contract/watch/alarms.ts). */
export function watchAlarmRoutes(context: RouteContext, access: WatchAccess): Implementation[] {
  const { config, store, clock } = context
  return [
    access.reads(getWatchSummary, async ({ request }) => {
      const { database } = store.get()
      const [row, alarms] = await Promise.all([readSummary(database), readAlarms(database, {}, newest, 10)])
      const now = clock()
      const last = seconds(row.round_ts)
      return {
        timestamp: now,
        mayWrite: access.mayWrite(request),
        isRunning: last !== undefined && Math.abs(now - last) <= 60 + config.watch.roundSeconds,
        ...optional('lastRoundTimestamp', last),
        ...optional('roundMilliseconds', row.round_ms),
        fleetCount: Number(row.fleets),
        memberCount: Number(row.members),
        ruleCount: Number(row.rules),
        channelCount: Number(row.channels),
        firing: { info: Number(row.info), warning: Number(row.warning), critical: Number(row.critical) },
        silencedCount: Number(row.silenced),
        pendingCount: Number(row.pending),
        unknownCount: Number(row.unknown),
        waitingDeliveries: Number(row.waiting),
        deadDeliveries: Number(row.dead),
        newest: alarms.map((alarm) => ({
          alarmId: alarm.alarm,
          title: alarm.title,
          text: alarm.text,
          severity: alarm.severity,
          openedTimestamp: Number(alarm.opened_ts),
          ...optional('resolvedTimestamp', seconds(alarm.resolved_ts)),
        })),
      }
    }),

    access.reads(listWatchStates, async ({ query }) => {
      const { database } = store.get()
      const filter = { fleet: query.fleetId, rule: query.ruleId, state: query.state }
      const [rows, members] = await Promise.all([readStatesOfRules(database, filter), readMembers(database)])
      const labels = new Map(members.map(({ fleet, id, label }) => [`${fleet} ${memberText(id)}`, label]))
      return {
        states: rows.map((row) => {
          const id = row.subject.slice(row.subject.indexOf(':') + 1)
          return {
            ruleId: row.rule,
            ruleName: row.rule_name,
            kind: row.kind,
            severity: row.severity,
            ...optional('fleetId', row.fleet),
            subject: subjectAnswer(
              row.subject,
              labels.get(`${row.fleet} ${id}`) || nameOnChain(row.subject, config.chains),
            ),
            state: row.state,
            sinceTimestamp: Number(row.since),
            ...optional('value', row.value),
            ...optional('threshold', row.threshold),
            unit: unitOf(row.kind),
            text: row.text,
            ...optional('sampledTimestamp', seconds(row.sampled_ts)),
            ...optional('alarmId', row.alarm),
            isSilenced: row.silenced,
          }
        }),
      }
    }),

    access.reads(listWatchAlarms, async ({ query }) => {
      const { database } = store.get()
      const list = openList(context, listWatchAlarms, cursor, {}, query)
      const filter = {
        fleet: query.fleetId,
        rule: query.ruleId,
        member: query.memberId,
        severity: query.severity,
        isOpen: query.isOpen,
        after: query.startTimestamp,
        before: query.endTimestamp,
      }
      const { rows, nextPageToken } = await list.page(
        newest,
        (past, limit) => readAlarms(database, filter, past, limit),
        (row) => ({ ts: row.opened_ts, id: row.alarm }),
      )
      return { nextPageToken, alarms: rows.map(alarmAnswer) }
    }),

    access.reads(listWatchDeliveries, async ({ query }) => {
      const { database } = store.get()
      const list = openList(context, listWatchDeliveries, cursor, {}, query)
      const { rows, nextPageToken } = await list.page(
        newest,
        (past, limit) =>
          readDeliveries(database, { status: query.status, alarm: query.alarmId }, past, limit),
        (row) => ({ ts: row.created_ts, id: row.delivery }),
      )
      return { nextPageToken, deliveries: rows.map(deliveryAnswer) }
    }),

    access.writes(retryWatchDelivery, async ({ params }) => {
      return store.write(async (sql) => {
        const find = async () => (await readDeliveries(sql, { delivery: params.deliveryId }, newest, 1))[0]
        const before = await find()
        if (!before) throw notFound(`there is no message ${params.deliveryId}`)
        if (!(await reviveMessage(sql, params.deliveryId))) {
          throw badRequest([`deliveryId: the message is ${before.status}, only dead ones can be tried again`])
        }
        return deliveryAnswer((await find()) ?? before)
      })
    }),

    access.reads(listWatchSilences, async ({ query }) => {
      const now = clock()
      const rows = await readSilences(store.get().database, query.includesEnded ? -1 : now)
      return { silences: rows.map((row) => silenceAnswer(row, now)) }
    }),

    access.writes(createWatchSilence, async ({ body }) => {
      const now = clock()
      const from = body.startTimestamp ?? now
      if (body.endTimestamp <= Math.max(from, now)) {
        throw badRequest(['endTimestamp: must be after now and after startTimestamp'])
      }
      return store.write(async (sql) => {
        if (body.fleetId !== undefined) await findFleet(sql, body.fleetId)
        if ((await readSilences(sql, now)).length >= watchBounds.silences) {
          throw badRequest([`fleetId: there are at most ${watchBounds.silences} silences`])
        }
        const silence = randomUUID()
        const member = body.memberId === undefined ? null : memberBytes('memberId', body.memberId)
        await sql`
          insert into watch_silences (silence, fleet, rule, member, comment, created_ts, start_ts, end_ts)
          values (${silence}, ${body.fleetId ?? null}, ${body.ruleId ?? null}, ${member}, ${body.comment ?? ''}, ${now},
            ${from}, ${body.endTimestamp})`
        const [row] = await readSilences(sql, -1, silence)
        if (!row) throw new HttpError(500, 'the silence was not stored')
        return silenceAnswer(row, now)
      })
    }),

    access.writes(endWatchSilence, async ({ params }) => {
      const now = clock()
      return store.write(async (sql) => {
        await sql`
          update watch_silences set end_ts = ${now} where silence = ${params.silenceId} and end_ts > ${now}`
        const [row] = await readSilences(sql, -1, params.silenceId)
        if (!row) throw notFound(`there is no silence ${params.silenceId}`)
        return silenceAnswer(row, now)
      })
    }),

    implement(getWatchFeed, async ({ params, request }) => {
      const { database } = store.get()
      const [fleet] = await readFleets(database, { token: params.feedToken })
      if (!fleet) throw notFound('there is no such feed')
      const rows = await readAlarms(database, { fleet: fleet.fleet }, newest, 50)
      const body = Buffer.from(alarmFeed(params.format, fleet, rows, originOf(request, config)))
      return new MediaAnswer({ type: feedType(params.format), body, etag: weakTag(body) })
    }),
  ]
}
