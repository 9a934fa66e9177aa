import { randomBytes, randomUUID } from 'node:crypto'
import { inEnglish } from '../../../contract/base/english.ts'
import {
  addWatchMembers,
  createWatchFleet,
  deleteWatchFleet,
  exportWatchFleet,
  getWatchFleet,
  importWatchFleet,
  listWatchChanges,
  listWatchFleets,
  removeWatchMembers,
  updateWatchFleet,
  type ListedWatchFleet,
} from '../../../contract/watch/fleets.ts'
import { watchBounds } from '../../../contract/watch/fields.ts'
import { ruleDefinition } from '../../../contract/watch/rules.ts'
import { cb58, nodeIdText } from '../../../protocol/ids/text.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest, notFound } from '../../kernel/http-errors.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { byteaList } from '../../store/sql-literals.ts'
import type { Queryable } from '../../store/database.ts'
import { readWatchL1, readWatchNetworks } from '../../store/watch/read-facts.ts'
import { readChanges, readFleetSums, type FleetSumsRow } from '../../store/watch/read-fleet.ts'
import { readMembers, readRules } from '../../store/watch/read-rules.ts'
import { readAlarms, readFleets, type FleetRow } from '../../store/watch/read-watch.ts'
import { memberText, ruleOf } from '../../watch/rules.ts'
import type { WatchAccess } from './access.ts'
import { definitionOf, fleetAnswer, isStale, networkOf, optional, seconds } from './answers.ts'
import { fleetPage } from './fleet-page.ts'
import { addMembers, memberBytes } from './members.ts'
import { insertRule } from './rule-rows.ts'

/** The fleet with an id. Throws a 404. */
export async function findFleet(sql: Queryable, fleet: string): Promise<FleetRow> {
  const [row] = await readFleets(sql, { fleet })
  if (!row) throw notFound(`there is no fleet ${fleet}`)
  return row
}

type FleetSums = ListedWatchFleet['sums']

const noSums: FleetSums = {
  connectedCount: 0,
  disconnectedCount: 0,
  unknownCount: 0,
  amountStaked: '0',
  amountDelegated: '0',
}

/** The sums of a fleet. Without a recent sample every connection is unknown, as on the fleet's page. */
const fleetSums = (row: FleetSumsRow, isFresh: boolean): FleetSums => {
  const [connected, disconnected, unknown] = [row.connected, row.disconnected, row.unknown].map(Number)
  return {
    connectedCount: isFresh ? (connected ?? 0) : 0,
    disconnectedCount: isFresh ? (disconnected ?? 0) : 0,
    unknownCount: isFresh ? (unknown ?? 0) : (connected ?? 0) + (disconnected ?? 0) + (unknown ?? 0),
    amountStaked: row.staked,
    amountDelegated: row.delegated,
    ...optional('firstEndTimestamp', seconds(row.first_end)),
  }
}

const maxChanges = 500
const changeDays = 7

/** Operations on fleets (contract/watch/fleets.ts). */
export function watchFleetRoutes(context: RouteContext, access: WatchAccess): Implementation[] {
  const { config, store, clock } = context

  const create = async (
    sql: Queryable,
    given: { network: string; name: string; description?: string | undefined },
  ): Promise<string> => {
    const network = findNetwork(config, given.network)
    const fleets = await readFleets(sql)
    if (fleets.length >= watchBounds.fleets)
      throw badRequest([`name: there are at most ${watchBounds.fleets} fleets`])
    if (fleets.some(({ chain, name }) => chain === network.p && name === given.name)) {
      throw badRequest(['name: another fleet has this name'])
    }
    const fleet = randomUUID()
    await sql`
      insert into watch_fleets (fleet, chain, name, description, feed_token, created_ts)
      values (${fleet}, ${network.p}, ${given.name}, ${given.description ?? ''},
        ${randomBytes(24).toString('base64url')}, ${clock()})`
    return fleet
  }

  return [
    access.reads(listWatchFleets, async ({ query, request }) => {
      const chain = query.network === undefined ? {} : { chain: findNetwork(config, query.network).p }
      const { database } = store.get()
      const rows = await readFleets(database, chain)
      const sums = new Map<string, FleetSums>()
      for (const key of new Set(rows.map((row) => row.chain))) {
        const { sampleSeconds } = findNetwork(config, networkOf(key)).config
        const [[network], all] = await Promise.all([
          readWatchNetworks(database, [key]),
          readFleetSums(database, key),
        ])
        const isFresh = !isStale(seconds(network?.sampled_ts), clock(), sampleSeconds)
        for (const each of all) sums.set(each.fleet, fleetSums(each, isFresh))
      }
      return {
        fleets: rows.map((row) => ({
          ...fleetAnswer(row, access.mayWrite(request)),
          sums: sums.get(row.fleet) ?? noSums,
        })),
      }
    }),

    access.writes(createWatchFleet, async ({ body }) => {
      return store.write(async (sql) => {
        const fleet = await create(sql, body)
        const added = await addMembers(sql, findNetwork(config, body.network), fleet, body, clock())
        return { fleet: fleetAnswer(await findFleet(sql, fleet), true), ...added }
      })
    }),

    access.writes(importWatchFleet, async ({ body }) => {
      return store.write(async (sql) => {
        const fleet = await create(sql, body)
        const network = findNetwork(config, body.network)
        const added = await addMembers(sql, network, fleet, { members: body.members }, clock())
        const now = clock()
        for (const [place, each] of body.rules.entries()) {
          const parsed = ruleDefinition.safeParse({ ...each, fleetId: fleet, channelIds: [] }, inEnglish)
          if (!parsed.success) {
            const [issue] = parsed.error.issues
            throw badRequest([
              `rules.${place}.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`,
            ])
          }
          await insertRule(sql, parsed.data, network.p, undefined, now)
        }
        return { fleet: fleetAnswer(await findFleet(sql, fleet), true), ...added }
      })
    }),

    access.reads(getWatchFleet, async ({ params, query, request }) => {
      const { database } = store.get()
      const fleet = await findFleet(database, params.fleetId)
      const network = findNetwork(config, networkOf(fleet.chain))
      const { sampleSeconds } = network.config
      return {
        fleet: fleetAnswer(fleet, access.mayWrite(request)),
        ...(await fleetPage(database, fleet, query.days, clock(), sampleSeconds)),
      }
    }),

    access.writes(updateWatchFleet, async ({ params, body }) => {
      return store.write(async (sql) => {
        const fleet = await findFleet(sql, params.fleetId)
        await sql`
          update watch_fleets set name = ${body.name ?? fleet.name}, description = ${body.description ?? fleet.description}
          where fleet = ${fleet.fleet}`
        return fleetAnswer(await findFleet(sql, fleet.fleet), true)
      })
    }),

    access.writes(deleteWatchFleet, async ({ params }) => {
      return store.write(async (sql) => {
        const { fleet, chain } = await findFleet(sql, params.fleetId)
        await sql`
          update watch_alarms set resolved_ts = ${clock()}, end_reason = 'ruleDeleted'
          where resolved_ts is null and rule in (select rule from watch_rules where fleet = ${fleet})`
        await sql`delete from watch_states where rule in (select rule from watch_rules where fleet = ${fleet})`
        await sql`delete from watch_silences where fleet = ${fleet} or rule in (select rule from watch_rules where fleet = ${fleet})`
        await sql`delete from watch_rules where fleet = ${fleet}`
        await sql`delete from watch_members where chain = ${chain} and fleet = ${fleet}`
        await sql`delete from watch_fleets where fleet = ${fleet}`
        return { id: fleet }
      })
    }),

    access.writes(addWatchMembers, async ({ params, body }) => {
      return store.write(async (sql) => {
        const { fleet, chain } = await findFleet(sql, params.fleetId)
        return addMembers(sql, findNetwork(config, networkOf(chain)), fleet, body, clock())
      })
    }),

    access.writes(removeWatchMembers, async ({ params, body }) => {
      return store.write(async (sql) => {
        const { fleet, chain } = await findFleet(sql, params.fleetId)
        const ids = body.memberIds.map((id) => `0x${memberBytes('memberIds', id).toString('hex')}`)
        const rows = await sql`
          delete from watch_members where chain = ${chain} and fleet = ${fleet}
            and id = any(${byteaList(ids)}::text::bytea[]) returning id`
        return { removedCount: rows.length }
      })
    }),

    access.reads(exportWatchFleet, async ({ params }) => {
      const { database } = store.get()
      const fleet = await findFleet(database, params.fleetId)
      const [members, rules] = await Promise.all([
        readMembers(database, fleet.fleet),
        readRules(database, { fleet: fleet.fleet }),
      ])
      return {
        ridgelineFleet: 1 as const,
        network: networkOf(fleet.chain) as 'mainnet' | 'fuji',
        name: fleet.name,
        description: fleet.description,
        members: members.map(({ id, label }) => ({
          memberId: memberText(id),
          ...(label !== '' && { label }),
        })),
        rules: rules.map((row) => definitionOf(ruleOf(row))),
      }
    }),

    access.reads(listWatchChanges, async ({ params, query }) => {
      const { database } = store.get()
      const fleet = await findFleet(database, params.fleetId)
      const now = clock()
      const from = Math.max(query.startTimestamp ?? now - 86_400, now - changeDays * 86_400)
      const members = await readMembers(database, fleet.fleet)
      const ofNodes = members.filter(({ id }) => id.length === 20).map(({ id }) => id)
      const ofL1 = members.filter(({ id }) => id.length !== 20).map(({ id }) => id)
      const l1 = ofL1.length === 0 ? [] : await readWatchL1(database, fleet.chain, ofL1, [])
      const [rows, alarms] = await Promise.all([
        readChanges(database, fleet.chain, ofNodes, ofL1, from, maxChanges + 1),
        readAlarms(database, { fleet: fleet.fleet, after: from }, newest, maxChanges),
      ])
      const labelOf = new Map(members.map(({ id, label }) => [memberText(id), label]))
      const nodeOf = new Map(l1.map((row) => [cb58(row.validation_id), nodeIdText(row.node)]))
      const withLabel = (memberId: string) => optional('label', labelOf.get(memberId) || undefined)
      const changes = [
        ...rows.map((row) => {
          const memberId = row.validation === null ? nodeIdText(row.node) : cb58(row.validation)
          return {
            timestamp: Number(row.ts),
            kind: row.kind,
            memberId,
            nodeId: nodeIdText(row.node),
            ...withLabel(memberId),
            ...optional('amount', row.amount),
            ...optional('weight', row.weight === null ? undefined : BigInt(row.weight)),
            ...optional('txHash', row.tx_id === null ? undefined : cb58(row.tx_id)),
          }
        }),
        ...alarms.flatMap((row) => {
          const id = row.subject.slice(row.subject.indexOf(':') + 1)
          const common = {
            memberId: id,
            nodeId: row.subject_node ?? nodeOf.get(id) ?? '',
            ...withLabel(id),
            alarmId: row.alarm,
            ruleName: row.rule_name,
            severity: row.severity,
          }
          const opened = { timestamp: Number(row.opened_ts), kind: 'alarmOpened', ...common }
          if (row.resolved_ts === null || row.end_reason === 'event') return [opened]
          return [opened, { timestamp: Number(row.resolved_ts), kind: 'alarmResolved', ...common }]
        }),
      ].toSorted((left, right) => right.timestamp - left.timestamp)
      return {
        fromTimestamp: from,
        changes: changes.slice(0, maxChanges),
        isComplete: changes.length <= maxChanges && rows.length <= maxChanges,
      }
    }),
  ]
}

/** The position before the newest alarm. */
export const newest = { ts: 9_223_372_036_854_775_807n, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
