/** The Prometheus series of nodes, on the own service. */
export const seriesPath = (network: string, nodeIds: readonly string[]): string =>
  `/metrics/validators?${new URLSearchParams({ network, nodeIds: nodeIds.join(',') }).toString().replaceAll('%2C', ',')}`

/** The JSON feed of a node, on the own service. */
export const feedPath = (network: string, nodeId: string): string =>
  `/v1/networks/${network}/validators/${nodeId}/feed`

/** A part of a Prometheus configuration that reads the series of nodes from `host`. */
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
