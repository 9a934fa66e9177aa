// Writes ops/prometheus/rules.yml and ops/grafana/ridgeline-watch.json from one table. Usage: node scripts/ops.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * What an operator sees and is warned of, once: a panel of the dashboard, and an alert where `alert` is given. `expr`
 * of an alert is the panel's expression with a comparison.
 */
const watched = [
  {
    title: 'Open alarms',
    expr: 'sum by (kind) (ridgeline_watch{kind=~"open_.*"})',
    legend: '{{kind}}',
    alert: {
      name: 'RidgelineAlarmOpen',
      expr: 'ridgeline_watch{kind="open_critical"} > 0',
      for: '0m',
      severity: 'critical',
      summary: '{{ $value }} critical alarms are open in Ridgeline',
    },
  },
  {
    title: 'Subjects that fire, by rule',
    expr: 'ridgeline_watch_subjects{state="firing"}',
    legend: '{{name}}',
    alert: {
      name: 'RidgelineRuleFiring',
      expr: 'ridgeline_watch_subjects{state="firing", severity!="critical"} > 0',
      for: '0m',
      severity: 'warning',
      summary: 'The rule {{ $labels.name }} fires for {{ $value }} subjects',
    },
  },
  {
    title: 'Subjects that are unknown, by rule',
    expr: 'ridgeline_watch_subjects{state="unknown"}',
    legend: '{{name}}',
    alert: {
      name: 'RidgelineWatchUnknown',
      expr: 'ridgeline_watch{kind="unknown"} > 0',
      for: '5m',
      severity: 'warning',
      summary: '{{ $value }} subjects of rules cannot be judged',
    },
  },
  {
    title: 'Seconds since the last evaluation',
    expr: 'time() - ridgeline_watch{kind="round_seconds"}',
    legend: 'age',
    alert: {
      name: 'RidgelineWatchStopped',
      expr: 'time() - ridgeline_watch{kind="round_seconds"} > 120',
      for: '1m',
      severity: 'critical',
      summary: 'Ridgeline has not evaluated its rules for {{ $value | humanizeDuration }}',
    },
  },
  {
    title: 'What an evaluation takes',
    expr: 'ridgeline_watch{kind="round_milliseconds"}',
    legend: 'milliseconds',
  },
  {
    title: 'Messages',
    expr: 'ridgeline_watch{kind=~"(waiting|dead)_messages"}',
    legend: '{{kind}}',
    alert: {
      name: 'RidgelineMessagesDead',
      expr: 'ridgeline_watch{kind="dead_messages"} > 0',
      for: '1m',
      severity: 'warning',
      summary: '{{ $value }} messages of alarms were given up',
    },
  },
  {
    title: 'Blocks behind the node, EVM chains',
    expr: 'ridgeline_chain_block{kind="node"} - ignoring(kind) ridgeline_chain_block{kind="indexed"}',
    legend: '{{chain}}',
    alert: {
      name: 'RidgelineChainLate',
      expr: 'ridgeline_chain_block{kind="node"} - ignoring(kind) ridgeline_chain_block{kind="indexed"} > 100',
      for: '2m',
      severity: 'warning',
      summary: 'Ridgeline is {{ $value }} blocks behind on chain {{ $labels.chain }}',
    },
  },
  {
    title: 'Blocks behind the node, P, X and C',
    expr: 'ridgeline_primary{kind="lag"}',
    legend: '{{chain}}',
    alert: {
      name: 'RidgelinePrimaryLate',
      expr: 'ridgeline_primary{kind="lag"} > 100',
      for: '2m',
      severity: 'warning',
      summary: 'Ridgeline is {{ $value }} blocks behind on {{ $labels.chain }}',
    },
  },
  {
    title: 'Stopped chains',
    expr: 'ridgeline_chain_stopped',
    legend: '{{chain}}',
    alert: {
      name: 'RidgelineChainStopped',
      expr: 'ridgeline_chain_stopped > 0',
      for: '2m',
      severity: 'critical',
      summary: 'Ridgeline has stopped indexing {{ $labels.chain }}',
    },
  },
  {
    title: 'Service',
    expr: 'up{job="ridgeline"}',
    legend: '{{instance}}',
    alert: {
      name: 'RidgelineDown',
      expr: 'up{job="ridgeline"} == 0',
      for: '1m',
      severity: 'critical',
      summary: 'Ridgeline does not answer: nobody watches the validators',
    },
  },
]

const alerts = watched.flatMap(({ alert }) => (alert ? [alert] : []))

/** The rules of Prometheus. Values are JSON strings, which are YAML as well. */
export function rulesFile() {
  const rules = alerts.map(
    ({ name, expr, for: lasting, severity, summary }) => `      - alert: ${name}
        expr: ${JSON.stringify(expr)}
        for: ${lasting}
        labels:
          severity: ${severity}
        annotations:
          summary: ${JSON.stringify(summary)}
`,
  )
  return `# Written by scripts/ops.mjs; change that instead.
groups:
  - name: ridgeline
    rules:
${rules.join('')}`
}

/** The dashboard of Grafana. */
export function dashboardFile() {
  const panels = watched.map(({ title, expr, legend }, place) => ({
    id: place + 1,
    title,
    type: 'timeseries',
    datasource: { type: 'prometheus', uid: '${datasource}' },
    gridPos: { h: 8, w: 12, x: (place % 2) * 12, y: Math.floor(place / 2) * 8 },
    targets: [{ refId: 'A', expr, legendFormat: legend }],
    fieldConfig: { defaults: { min: 0 }, overrides: [] },
  }))
  const dashboard = {
    uid: 'ridgeline-watch',
    title: 'Ridgeline: validator watch',
    tags: ['ridgeline'],
    timezone: 'utc',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-24h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels,
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

/** The files by their paths in the repository. */
export const files = {
  'ops/prometheus/rules.yml': rulesFile,
  'ops/grafana/ridgeline-watch.json': dashboardFile,
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const [path, write] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), write())
  }
}
