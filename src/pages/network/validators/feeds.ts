/** The path of nodes' Prometheus series on this service. */
export const seriesPath = (network: string, nodeIds: readonly string[]): string =>
  `/metrics/validators?${new URLSearchParams({ network, nodeIds: nodeIds.join(',') }).toString().replaceAll('%2C', ',')}`

/** The path of a node's JSON feed on this service. */
export const feedPath = (network: string, nodeId: string): string =>
  `/v1/networks/${network}/validators/${nodeId}/feed`

/** A Prometheus scrape configuration for the series of nodes at `host`. */
export const scrapeConfig = (host: string, network: string, nodeIds: readonly string[]): string =>
  [
    'scrape_configs:',
    '  - job_name: ridgeline-validators',
    '    metrics_path: /metrics/validators',
    '    params:',
    `      network: ['${network}']`,
    `      nodeIds: ['${nodeIds.join(',')}']`,
    '    static_configs:',
    `      - targets: ['${host}']`,
  ].join('\n')
