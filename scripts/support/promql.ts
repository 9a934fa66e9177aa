import { parser } from '@prometheus-io/lezer-promql'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A series that a query names: the metric, and what its labels must be. */
type Selector = { readonly name: string; readonly matchers: readonly Matcher[] }
type Matcher = { readonly label: string; readonly operator: string; readonly value: string }

/** The series of a query, by the grammar of Prometheus. Throws an error for a query that it does not allow. */
export function selectorsOf(query: string): Selector[] {
  const found: { name: string; matchers: Matcher[] }[] = []
  parser.parse(query).iterate({
    enter({ type, from, to, node }) {
      const text = (): string => query.slice(from, to)
      if (type.isError) throw new Error(`${query}: not allowed at ${from}`)
      if (type.name === 'VectorSelector') {
        const identifier = node.getChild('Identifier')
        found.push({ name: identifier ? query.slice(identifier.from, identifier.to) : '', matchers: [] })
      }
      if (type.name !== 'UnquotedLabelMatcher') return
      const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*(.*)$/s.exec(text()) ?? []
      found
        .at(-1)
        ?.matchers.push({ label, operator, value: value === '' ? '' : (JSON.parse(value) as string) })
    },
  })
  return found
}

/** A sample of Prometheus' text format, with its labels. */
type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>> }

/** The samples of a text in that format. */
export function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) return []
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    return [{ name, labels: Object.fromEntries(pairs.map(([, label = '', value = '']) => [label, value])) }]
  })
}

/** Whether a sample is of a series. Prometheus itself adds the labels `job` and `instance`. */
export function fits({ name, labels }: Sample, selector: Selector): boolean {
  if (name !== selector.name) return false
  return selector.matchers.every(({ label, operator, value }) => {
    if (label === 'job' || label === 'instance') return true
    const given = labels[label] ?? ''
    const isEqual = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(given) : given === value
    return operator.startsWith('!') ? !isEqual : isEqual
  })
}

/** The expressions of the alerts in ops/prometheus/rules.yml. */
export const ruleQueries = (root: string): string[] =>
  [...readFileSync(join(root, 'ops/prometheus/rules.yml'), 'utf8').matchAll(/^\s+expr: (".*")$/gm)].map(
    ([, text = '']) => JSON.parse(text) as string,
  )

/** The queries of all dashboards in ops/grafana, with every value of their variables. */
export function dashboardQueries(root: string): string[] {
  return readdirSync(join(root, 'ops/grafana')).flatMap((name) => {
    const { panels } = JSON.parse(readFileSync(join(root, 'ops/grafana', name), 'utf8')) as {
      panels: { targets: { expr: string }[] }[]
    }
    return panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr.replaceAll('"$network"', '"fuji"').replaceAll('"$node"', '".*"')),
    )
  })
}
