import { severities, type Severity } from '../../../../contract/watch/severities.ts'
import {
  mayBeForChain,
  watchKindOf,
  watchRuleKinds,
  type WatchKindName,
  type WatchRuleKind,
} from '../../../../contract/watch/rule-kinds.ts'
import {
  quietHours,
  ruleDefinition,
  type QuietHours,
  type RuleDefinition,
  type WatchRule,
} from '../../../../contract/watch/rules.ts'
import { networkOf } from '../../../api/current.ts'
import { formatNumber } from '../../../lib/amounts.ts'
import { joinSeconds, numberOf, splitSeconds, type TimeUnit } from '../shared/words.ts'
import { spanText } from '../../../lib/time.ts'

/** The ranges of a dry run, in days. */
export const dryRanges = ['1', '7', '30'] as const
export type DryRange = (typeof dryRanges)[number]

/** A number of a form, with the unit that a length of time is given in. */
export type Amount = { readonly text: string; readonly unit: TimeUnit }

/** What the form of a rule holds: texts as they are typed. */
export type RuleDraft = {
  readonly kind: WatchKindName
  readonly name: string
  readonly fleetId: string
  /** Empty for the whole fleet. */
  readonly memberId: string
  /** Empty for every network. */
  readonly network: string
  /** The only EVM chain; empty for all. */
  readonly chainId: string
  /** For a kind of an address. */
  readonly address: string
  readonly threshold: Amount
  readonly hysteresis: Amount
  readonly samples: string
  readonly severity: Severity
  readonly repeat: Amount
  readonly isQuiet: boolean
  readonly quietFrom: string
  readonly quietTo: string
  readonly timeZone: string
  /** 1 for Monday. */
  readonly quietDays: readonly number[]
  readonly channelIds: readonly string[]
  readonly isEnabled: boolean
}

export const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const everyDay = weekDays.map((_, index) => index + 1)

const defaultRepeat = 4 * 3_600

/** A kind's number as the form shows it. */
const amountOf = (facts: WatchRuleKind, value: number): Amount =>
  facts.unit === 'seconds' ? splitSeconds(value) : { text: String(value), unit: 'minutes' }

/** What a form's number is in the unit of the kind; undefined for something that is not a number. */
const valueOf = (facts: WatchRuleKind, { text, unit }: Amount): number | undefined =>
  facts.unit === 'seconds' ? joinSeconds(text, unit) : numberOf(text)

/** The facts of a kind; of the first one for a name that this version does not know. */
export const factsOf = (kind: string): WatchRuleKind => watchKindOf.get(kind) ?? watchRuleKinds[0]

/** The time zone of this browser. */
const ownTimeZone = (): string => new Intl.DateTimeFormat('en').resolvedOptions().timeZone

type Start = { readonly kind?: WatchKindName; readonly fleetId?: string; readonly memberId?: string }

/** A new rule with the defaults of its kind. */
export function newDraft({ kind = watchRuleKinds[0].kind, fleetId = '', memberId = '' }: Start): RuleDraft {
  const facts = factsOf(kind)
  return {
    kind,
    name: '',
    fleetId: facts.scope === 'fleet' ? fleetId : '',
    memberId: facts.scope === 'fleet' ? memberId : '',
    network: '',
    chainId: '',
    address: '',
    threshold: amountOf(facts, facts.threshold?.default ?? 0),
    hysteresis: amountOf(facts, facts.hysteresis?.default ?? 0),
    samples: String(facts.defaultSamples),
    severity: facts.defaultSeverity,
    repeat: splitSeconds(defaultRepeat),
    isQuiet: false,
    quietFrom: '22:00',
    quietTo: '07:00',
    timeZone: ownTimeZone(),
    quietDays: everyDay,
    channelIds: [],
    isEnabled: true,
  }
}

/** The draft after another kind was chosen: its own defaults; whom it tells and when stay as they were. */
export function withKind(draft: RuleDraft, kind: WatchKindName, fleetId: string): RuleDraft {
  const fresh = newDraft({ kind, fleetId })
  const { name, repeat, isQuiet, quietFrom, quietTo, timeZone, quietDays, channelIds, isEnabled } = draft
  const place = mayBeForChain(kind) && { chainId: draft.chainId, address: draft.address }
  return {
    ...fresh,
    ...place,
    name,
    repeat,
    isQuiet,
    quietFrom,
    quietTo,
    timeZone,
    quietDays,
    channelIds,
    isEnabled,
  }
}

/** A rule of the service as a draft. */
export function draftOf(rule: WatchRule): RuleDraft {
  const facts = factsOf(rule.kind)
  const { quietHours } = rule
  const fresh = newDraft({ kind: facts.kind as WatchKindName })
  return {
    ...fresh,
    name: rule.name === facts.title ? '' : rule.name,
    fleetId: rule.fleetId ?? '',
    memberId: rule.memberId ?? '',
    network: rule.network ?? '',
    chainId: rule.chainId ?? '',
    address: rule.address ?? '',
    threshold: rule.threshold === undefined ? fresh.threshold : amountOf(facts, rule.threshold),
    hysteresis: amountOf(facts, rule.hysteresis),
    samples: String(rule.samples),
    severity: severities.find((each) => each === rule.severity) ?? 'warning',
    repeat: splitSeconds(rule.repeatSeconds),
    ...(quietHours && {
      isQuiet: true,
      quietFrom: quietHours.from,
      quietTo: quietHours.to,
      timeZone: quietHours.timeZone,
      quietDays: quietHours.days ?? everyDay,
    }),
    channelIds: rule.channelIds,
    isEnabled: rule.isEnabled,
  }
}

/** What is wrong with a draft, by its field. */
export type Wrong = Partial<Record<keyof RuleDraft, string>>

const bounds = (facts: WatchRuleKind, min: number, max: number): string => {
  const text = (value: number): string =>
    facts.unit === 'seconds' ? spanText(value) : formatNumber(value, 6)
  return `from ${text(min)} to ${text(max)}`
}

function wrongNumbers(draft: RuleDraft): Wrong {
  const facts = factsOf(draft.kind)
  const wrong: Wrong = {}
  if (facts.threshold) {
    const { min, max } = facts.threshold
    const value = valueOf(facts, draft.threshold)
    if (value === undefined || value < min || value > max)
      wrong.threshold = `A number ${bounds(facts, min, max)}.`
  }
  if (facts.hysteresis) {
    const { max } = facts.hysteresis
    const value = valueOf(facts, draft.hysteresis)
    if (value === undefined || value > max) wrong.hysteresis = `A number ${bounds(facts, 0, max)}.`
  }
  if (!/^\d{1,4}$/.test(draft.samples) || Number(draft.samples) < 1 || Number(draft.samples) > 1_000)
    wrong.samples = 'A whole number from 1 to 1,000.'
  const repeat = joinSeconds(draft.repeat.text, draft.repeat.unit)
  if (repeat === undefined || repeat > 30 * 86_400)
    wrong.repeat = 'A number up to 30 days; 0 to send it once.'
  return wrong
}

const quietHoursOf = (draft: RuleDraft) => ({
  from: draft.quietFrom,
  to: draft.quietTo,
  timeZone: draft.timeZone.trim(),
  ...(draft.quietDays.length < weekDays.length && { days: draft.quietDays.toSorted((a, b) => a - b) }),
})

/** The field of a draft for each part of quiet hours, and how an error names it. */
const quietFields = {
  from: ['quietFrom', 'The beginning'],
  to: ['quietTo', 'The end'],
  timeZone: ['timeZone', 'The time zone'],
  days: ['quietDays', 'The days'],
} as const satisfies Record<keyof QuietHours, readonly [keyof RuleDraft, string]>

function wrongQuietHours(draft: RuleDraft): Wrong {
  if (!draft.isQuiet) return {}
  if (draft.quietDays.length === 0) return { quietDays: 'Choose a day, or no quiet hours.' }
  const { error } = quietHours.safeParse(quietHoursOf(draft))
  return Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => {
      const [field, name] = quietFields[path[0] as keyof QuietHours]
      return [field, `${name} ${message}.`]
    }),
  )
}

/** The rule that a draft says, as the service takes it; or what is wrong with it, by field. */
export function ruleOf(draft: RuleDraft): { rule: RuleDefinition } | { wrong: Wrong } {
  const facts = factsOf(draft.kind)
  const wrong = { ...wrongNumbers(draft), ...wrongQuietHours(draft) }
  if (facts.scope === 'fleet' && draft.fleetId === '') wrong.fleetId = 'Choose a fleet.'
  if (facts.scope === 'address') {
    if (draft.chainId === '') wrong.chainId = 'Choose a chain.'
    if (!/^0x[0-9a-fA-F]{40}$/.test(draft.address.trim())) wrong.address = '0x and 40 hex digits.'
  }
  if (Object.keys(wrong).length > 0) return { wrong }
  const name = draft.name.trim()
  const threshold = facts.threshold === null ? undefined : valueOf(facts, draft.threshold)
  const hysteresis = facts.hysteresis === null ? undefined : valueOf(facts, draft.hysteresis)
  const network = facts.scope === 'service' ? networkOf(draft.network) : undefined
  const { success, data, error } = ruleDefinition.safeParse({
    kind: draft.kind,
    ...(name !== '' && { name }),
    ...(facts.scope === 'fleet' && { fleetId: draft.fleetId }),
    ...(facts.scope === 'fleet' && draft.memberId !== '' && { memberId: draft.memberId }),
    ...(network !== undefined && { network }),
    ...(mayBeForChain(draft.kind) && draft.chainId !== '' && { chainId: draft.chainId }),
    ...(facts.scope === 'address' && { address: draft.address.trim() }),
    ...(threshold !== undefined && { threshold }),
    ...(hysteresis !== undefined && { hysteresis }),
    samples: Number(draft.samples),
    severity: draft.severity,
    repeatSeconds: joinSeconds(draft.repeat.text, draft.repeat.unit),
    quietHours: draft.isQuiet ? quietHoursOf(draft) : null,
    channelIds: [...draft.channelIds],
    isEnabled: draft.isEnabled,
  })
  if (success) return { rule: data }
  return { wrong: { name: `${error.issues[0]?.message ?? 'Not valid'}.` } }
}
