// Writes ops/prometheus/rules.yml and the dashboards of ops/grafana from the tables below. Usage: node scripts/ops.mjs
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
      summary: '{{ $value }} subjects of rules cannot be evaluated',
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
    title: 'Silence of nodes',
    expr: 'time() - ridgeline_chain_node_seconds',
    legend: '{{chain}}',
    alert: {
      name: 'RidgelineNodeSilent',
      expr: 'time() - ridgeline_chain_node_seconds > 120',
      for: '2m',
      severity: 'critical',
      summary: 'The node of {{ $labels.chain }} has not answered Ridgeline',
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

/** The matcher of the nodes that are chosen on the dashboard of validators. */
const chosen = '{network="$network", node=~"$node"}'

const navax = 1_000_000_000

/** The validators that Prometheus reads from /metrics/validators (ops/prometheus/prometheus.yml). */
const validators = [
  {
    title: 'Open alarms',
    kind: 'stat',
    size: { w: 8, h: 4 },
    expr: 'sum by (kind) (ridgeline_watch{kind=~"open_.*"})',
    legend: '{{kind}}',
  },
  {
    title: 'Not connected',
    kind: 'stat',
    size: { w: 8, h: 4 },
    expr: `count(ridgeline_validator_connected${chosen} == 0) or vector(0)`,
    legend: 'validators',
  },
  {
    title: 'Uptime below what the reward needs',
    kind: 'stat',
    size: { w: 8, h: 4 },
    expr: `count(ridgeline_validator_uptime_percent${chosen} < ridgeline_validator_required_uptime_percent${chosen}) or vector(0)`,
    legend: 'validators',
  },
  {
    title: 'Validators',
    kind: 'table',
    size: { w: 24, h: 10 },
    joinedBy: 'node',
    columns: [
      { name: 'Active', expr: `ridgeline_validator_active${chosen}` },
      { name: 'Connected', expr: `ridgeline_validator_connected${chosen}` },
      { name: 'Uptime', expr: `ridgeline_validator_uptime_percent${chosen}`, unit: 'percent' },
      { name: 'Needed', expr: `ridgeline_validator_required_uptime_percent${chosen}`, unit: 'percent' },
      { name: 'Ends in', expr: `ridgeline_validator_remaining_seconds${chosen}`, unit: 's' },
      { name: 'Own stake, AVAX', expr: `ridgeline_validator_stake_navax${chosen} / ${navax}` },
      { name: 'Delegated, AVAX', expr: `ridgeline_validator_delegated_navax${chosen} / ${navax}` },
      { name: 'Delegations', expr: `ridgeline_validator_delegators${chosen}` },
      {
        name: 'Last block proposed',
        expr: `time() - ridgeline_validator_proposed_seconds${chosen}`,
        unit: 's',
      },
    ],
  },
  {
    title: 'Uptime',
    expr: `ridgeline_validator_uptime_percent${chosen}`,
    legend: '{{node}}',
    unit: 'percent',
  },
  { title: 'Connected', expr: `ridgeline_validator_connected${chosen}`, legend: '{{node}}' },
  {
    title: 'Time left of the validation',
    expr: `ridgeline_validator_remaining_seconds${chosen}`,
    legend: '{{node}}',
    unit: 's',
  },
  {
    title: 'Stake with delegations, AVAX',
    expr: `(ridgeline_validator_stake_navax${chosen} + ridgeline_validator_delegated_navax${chosen}) / ${navax}`,
    legend: '{{node}}',
  },
  {
    title: 'L1 validators: balance left, AVAX',
    expr: `ridgeline_l1_validator_balance_navax${chosen} / ${navax}`,
    legend: '{{node}} {{subnet}}',
  },
  {
    title: 'L1 validators: time until the balance is used up',
    expr: `ridgeline_l1_validator_remaining_seconds${chosen}`,
    legend: '{{node}} {{subnet}}',
    unit: 's',
  },
  {
    title: 'Subjects that fire, by rule',
    expr: 'ridgeline_watch_subjects{state="firing"}',
    legend: '{{name}}',
  },
  {
    title: 'Age of the newest sample',
    expr: `time() - ridgeline_validator_sampled_seconds${chosen}`,
    legend: '{{node}}',
    unit: 's',
  },
]

/** The process and what it does, for who runs the service. */
const service = [
  {
    title: 'Requests per second, by operation',
    expr: 'sum by (route) (rate(ridgeline_http_request_seconds_count[5m]))',
    legend: '{{route}}',
    unit: 'reqps',
  },
  {
    title: 'Time of an answer: median, 95 %, 99 %',
    exprs: [0.5, 0.95, 0.99].map((share) => ({
      expr: `histogram_quantile(${share}, sum by (le) (rate(ridgeline_http_request_seconds_bucket[5m])))`,
      legend: `${share * 100} %`,
    })),
    unit: 's',
  },
  {
    title: 'Failed requests per second, by status',
    expr: 'sum by (status) (rate(ridgeline_http_request_seconds_count{status=~"[45].."}[5m]))',
    legend: '{{status}}',
    unit: 'reqps',
  },
  {
    title: 'Blocks indexed per second',
    expr: 'rate(ridgeline_indexer{name="blocksApplied"}[5m])',
    legend: '{{chain}}',
  },
  {
    title: 'Blocks behind the node',
    exprs: [
      {
        expr: 'ridgeline_chain_block{kind="node"} - ignoring(kind) ridgeline_chain_block{kind="indexed"}',
        legend: '{{chain}}',
      },
      { expr: 'ridgeline_primary{kind="lag"}', legend: '{{chain}}' },
    ],
  },
  {
    title: 'Age of the newest indexed block, P, X and C',
    expr: 'time() - ridgeline_primary{kind="indexed_seconds"}',
    legend: '{{chain}}',
    unit: 's',
  },
  { title: 'Stopped chains', expr: 'ridgeline_chain_stopped', legend: '{{chain}}' },
  {
    title: 'Failed requests to nodes, in 5 minutes',
    expr: 'increase(ridgeline_indexer{name=~"rpcErrors[.].*"}[5m]) > 0',
    legend: '{{chain}} {{name}}',
  },
  { title: 'Reorgs', expr: 'increase(ridgeline_indexer{name="reorgs"}[1h])', legend: '{{chain}}' },
  {
    title: 'Live updates per second',
    expr: 'sum by (name) (rate(ridgeline_live_updates_total[5m]))',
    legend: '{{name}}',
  },
  { title: 'Signature rounds', expr: 'increase(ridgeline_signature_rounds[1h])', legend: '{{name}}' },
  {
    title: 'Replica behind its primary',
    expr: 'ridgeline_replica_lag{unit="seconds"}',
    legend: '{{instance}}',
    unit: 's',
  },
  {
    title: 'Memory',
    expr: 'process_resident_memory_bytes{job=~"ridgeline.*"}',
    legend: '{{instance}}',
    unit: 'bytes',
  },
  {
    title: 'CPU',
    expr: 'rate(process_cpu_seconds_total{job=~"ridgeline.*"}[5m])',
    legend: '{{instance}}',
    unit: 'percentunit',
  },
  {
    title: 'Delay of the event loop, 99 %',
    expr: 'nodejs_eventloop_lag_p99_seconds{job=~"ridgeline.*"}',
    legend: '{{instance}}',
    unit: 's',
  },
  { title: 'Up', expr: 'up{job=~"ridgeline.*"}', legend: '{{instance}}' },
]

/** The rules of Prometheus. Values are JSON strings, which are YAML as well. */
function rulesFile() {
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

const source = { type: 'prometheus', uid: '${datasource}' }

/** The queries of a panel. A table asks for the present values of each of its columns. */
function targetsOf({ expr, legend, exprs = [{ expr, legend }], columns }) {
  const asked = columns
    ? columns.map((column) => ({ expr: column.expr, format: 'table', instant: true }))
    : exprs.map((each) => ({ expr: each.expr, legendFormat: each.legend }))
  return asked.map((target, place) => ({ refId: String.fromCodePoint(65 + place), ...target }))
}

/** What turns the answers for the columns of a table into one row for each value of the label that joins them. */
function tableOf({ columns, joinedBy }) {
  const valueOf = (place) => `Value #${String.fromCodePoint(65 + place)}`
  return {
    transformations: [
      { id: 'joinByField', options: { byField: joinedBy, mode: 'outer' } },
      { id: 'filterFieldsByName', options: { include: { pattern: `^(${joinedBy}|Value #.)$` } } },
      {
        id: 'organize',
        options: {
          renameByName: Object.fromEntries(columns.map(({ name }, place) => [valueOf(place), name])),
        },
      },
    ],
    overrides: columns.flatMap(({ name, unit }) =>
      unit === undefined
        ? []
        : [{ matcher: { id: 'byName', options: name }, properties: [{ id: 'unit', value: unit }] }],
    ),
  }
}

/** The panels of a table above, in lines of a grid that is 24 columns wide. */
function panelsOf(table) {
  let x = 0
  let y = 0
  let height = 0
  return table.map((panel, place) => {
    const { title, kind = 'timeseries', unit, columns, size: { w, h } = { w: 12, h: 8 } } = panel
    if (x + w > 24) {
      x = 0
      y += height
      height = 0
    }
    const gridPos = { h, w, x, y }
    x += w
    height = Math.max(height, h)
    const { transformations, overrides = [] } = columns ? tableOf(panel) : {}
    return {
      id: place + 1,
      title,
      type: kind,
      datasource: source,
      gridPos,
      targets: targetsOf(panel),
      ...(transformations && { transformations }),
      fieldConfig: { defaults: { min: 0, ...(unit !== undefined && { unit }) }, overrides },
    }
  })
}

/** A variable of a dashboard, whose values are those of a label. */
const labelVariable = (name, query, more = {}) => ({
  name,
  type: 'query',
  datasource: source,
  query: { query, refId: name },
  refresh: 2,
  ...more,
})

const chosenValidators = [
  labelVariable('network', 'label_values(ridgeline_validator_chain_seconds, network)'),
  labelVariable('node', 'label_values(ridgeline_validator_chain_seconds{network="$network"}, node)', {
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  }),
]

/** A dashboard of Grafana. */
function dashboardFile(name, title, table, variables = []) {
  const dashboard = {
    uid: `ridgeline-${name}`,
    title: `Ridgeline: ${title}`,
    tags: ['ridgeline'],
    timezone: 'utc',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-24h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }, ...variables] },
    panels: panelsOf(table),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

/** The files by their paths in the repository. */
export const files = {
  'ops/prometheus/rules.yml': rulesFile,
  'ops/grafana/ridgeline-watch.json': () => dashboardFile('watch', 'validator watch', watched),
  'ops/grafana/ridgeline-validators.json': () =>
    dashboardFile('validators', 'validators', validators, chosenValidators),
  'ops/grafana/ridgeline-service.json': () => dashboardFile('service', 'service', service),
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  for (const [path, write] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), write())
  }
}
