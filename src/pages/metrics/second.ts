import { findSecondOf, SECOND_SEPARATOR, type SecondOf } from '../../../charts/catalogue/view-series.ts'
import type { MenuEntry } from '../../components/overlays/popups.tsx'
import type { Interval } from '../../../charts/series/periods.ts'
import type { SeriesInfo } from './series-info.ts'
import type { Beside, Subject } from './subject.tsx'

/** The series on the second axis, and the chain or network that it is of. */
export type Second = SecondOf<SeriesInfo>

/** What the URL has for a second series: its name, behind the chain or network if that is not the page's own. */
export function secondText(own: string, { facts, info }: Second): string {
  return facts.chainId === own ? info.name : `${facts.chainId}${SECOND_SEPARATOR}${info.name}`
}

/** The series of a `second` value: one of the page's subject other than `info`, or one of the other subject. */
export function findSecond(
  text: string,
  own: Pick<Subject, 'facts' | 'series'>,
  beside: Beside,
  info: SeriesInfo,
): Second | undefined {
  return findSecondOf(text, { own, beside }, info)
}

type Options = {
  readonly subject: Subject
  readonly info: SeriesInfo
  readonly second: Second | undefined
  readonly interval: Interval
  readonly onChoose: (text: string) => void
}

/** The menu of second series: those of the page's subject, then those of the other subject. */
export function secondEntries({ subject, info, second, interval, onChoose }: Options): MenuEntry[] {
  const { facts, beside } = subject
  const entry = (one: Second): MenuEntry => ({
    kind: 'radio',
    label: one.info.title,
    ...(!one.info.intervals.includes(interval) && { note: 'By day only: the chart changes to days' }),
    checked: one.info === second?.info && one.facts.chainId === second.facts.chainId,
    onSelect: () => onChoose(secondText(facts.chainId, one)),
  })
  const offered = beside.facts.find(({ chainId }) => chainId === beside.offered)
  return [
    { kind: 'heading', label: 'Second axis' },
    { kind: 'radio', label: 'None', checked: second === undefined, onSelect: () => onChoose('') },
    { kind: 'heading', label: facts.name },
    ...subject.series.filter((one) => one !== info).map((one) => entry({ facts, info: one })),
    ...(offered === undefined
      ? []
      : [
          { kind: 'heading' as const, label: offered.name },
          ...beside.series.map((one) => entry({ facts: offered, info: one })),
        ]),
  ]
}
