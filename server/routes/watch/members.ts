import { watchBounds } from '../../../contract/watch/fields.ts'
import { idOfText, nodeIdOfText, TextFormError } from '../../../protocol/ids/text.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { addressesOf, idOf } from '../../primary/request-values.ts'
import type { ServedNetwork } from '../../primary/served-network.ts'
import type { Queryable } from '../../store/database.ts'
import { readKnownIds, readNodesOfAddresses, readValidationsOfSubnet } from '../../store/watch/read-fleet.ts'
import { byteaList, textList } from '../../store/sql-literals.ts'
import { readPaste, type Paste } from '../../watch/paste.ts'
import { memberText } from '../../watch/rules.ts'

/** Where members come from (contract/watch/fleets.ts). */
type Sources = {
  readonly text?: string | undefined
  readonly members?: readonly { readonly memberId: string; readonly label?: string | undefined }[] | undefined
  readonly rewardAddresses?: readonly string[] | undefined
  readonly subnetId?: string | undefined
}

/** The bytes of a member's id: 20 of a node, 32 of a validation. Throws a 400. */
export function memberBytes(field: string, id: string): Buffer {
  try {
    return Buffer.from(id.startsWith('NodeID-') ? nodeIdOfText(id) : idOfText(id))
  } catch (error) {
    if (error instanceof TextFormError) throw badRequest([`${field}: ${id.slice(0, 64)}: ${error.message}`])
    throw error
  }
}

/** What an answer says of added members. */
type Added = {
  addedCount: number
  presentCount: number
  unknown: string[]
  notUnderstood: Paste['notUnderstood'][number][]
}

/** The most lines and ids of each kind that an answer names. */
const maxNamed = 100

/** Adds the members of all sources; a label replaces that of a present member. */
export async function addMembers(
  sql: Queryable,
  network: ServedNetwork,
  fleet: string,
  sources: Sources,
  now: number,
): Promise<Added> {
  const given = new Map<string, { bytes: Buffer; label: string }>()
  const add = (bytes: Buffer, label: string): void => {
    const key = bytes.toString('hex')
    if (!given.has(key) || label !== '') given.set(key, { bytes, label })
  }
  for (const { memberId, label } of sources.members ?? []) add(memberBytes('members', memberId), label ?? '')
  const paste = readPaste(sources.text ?? '')
  for (const { bytes, label } of paste.members) add(bytes, label)
  if (sources.rewardAddresses !== undefined) {
    const addresses = addressesOf(network, sources.rewardAddresses)
    for (const node of await readNodesOfAddresses(sql, network.p, addresses)) add(node, '')
  }
  if (sources.subnetId !== undefined) {
    const subnet = idOf('subnetId', sources.subnetId)
    for (const id of await readValidationsOfSubnet(sql, network.p, subnet)) add(id, '')
  }
  const all = [...given.values()]
  const ids = byteaList(all.map(({ bytes }) => `0x${bytes.toString('hex')}`))
  const labels = textList(all.map(({ label }) => label))
  const present = await sql<{ count: number }[]>`
    select count(*)::int as count from watch_members where chain = ${network.p} and fleet = ${fleet}
      and id = any(${ids}::text::bytea[])`
  const presentCount = present[0]?.count ?? 0
  await sql`
    insert into watch_members (chain, fleet, id, label, position, added_ts)
    select ${network.p}, ${fleet}::uuid, id, label, coalesce((
      select max(position) from watch_members where chain = ${network.p} and fleet = ${fleet}), 0) + place, ${now}
    from unnest(${ids}::text::bytea[], ${labels}::text::text[]) with ordinality as asked (id, label, place)
    on conflict (chain, fleet, id) do update set label = excluded.label where excluded.label <> ''`
  const [total] = await sql<{ count: number }[]>`
    select count(*)::int as count from watch_members where chain = ${network.p} and fleet = ${fleet}`
  if ((total?.count ?? 0) > watchBounds.members) {
    throw badRequest([`members: a fleet has at most ${watchBounds.members}`])
  }
  const known = new Set(
    (
      await readKnownIds(
        sql,
        network.p,
        all.map(({ bytes }) => bytes),
      )
    ).map((id) => id.toString('hex')),
  )
  const unknown = [...given].filter(([key]) => !known.has(key)).map(([, { bytes }]) => memberText(bytes))
  return {
    addedCount: all.length - presentCount,
    presentCount,
    unknown: unknown.slice(0, maxNamed),
    notUnderstood: paste.notUnderstood.slice(0, maxNamed),
  }
}
