import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify'
import { operations } from '../contract/operations.ts'
import { createAbiBook } from './tokens/abi/operator.ts'
import { readAbiFile } from './kernel/settings/abi-file.ts'
import { createChainDirectory } from './kernel/settings/chains.ts'
import type { Config } from './kernel/settings/config.ts'
import { lakeFolderOf } from './kernel/settings/lake.ts'
import { errorAnswer } from './kernel/http-errors.ts'
import type { LiveHub } from './events/hub.ts'
import { streamEvents } from './events/stream.ts'
import { acceptSockets, serveGateway } from './gateway/gateway.ts'
import { bindOperations, type Implementation } from './http/bind.ts'
import { refuseUnread } from './http/client-errors.ts'
import { serveDashboard } from './pages/dashboard.ts'
import { serveDocuments } from './http/documents.ts'
import { handleFailures, type MethodsOf } from './http/failures.ts'
import { HeadCache } from './http/head-cache.ts'
import { withoutHostedPrefix } from './http/hosted-form.ts'
import { createIdentity, identifyCallers } from './http/identity.ts'
import { limitRequests } from './http/limit.ts'
import { boundLoad, receiving } from './http/load.ts'
import { consoleOrigins, dashboardProfiles, profileOrigins } from './http/profiles.ts'
import { servePrometheus, type IndexerCounters } from './http/prometheus.ts'
import { createAccess } from './http/access.ts'
import { onceIndexed } from './http/once-indexed.ts'
import { createOperatorCheck } from './http/operator.ts'
import { secure } from './http/security.ts'
import { createFindUser, requireSignIn } from './http/sign-in.ts'
import type { LocalToken } from './kernel/local-token.ts'
import { serveMcp } from './mcp/http.ts'
import { createNodes } from './node/nodes.ts'
import { openPrices } from './tokens/prices/open.ts'
import { erc20BalanceRoutes } from './routes/tokens/balance-erc20.ts'
import { nftBalanceRoutes } from './routes/tokens/balance-nfts.ts'
import { addressBalanceRoutes } from './routes/evm/addresses/address-balance.ts'
import { addressInternalRoutes } from './routes/evm/addresses/address-internals.ts'
import { addressNativeRoutes } from './routes/evm/addresses/address-native.ts'
import { addressOverviewRoutes } from './routes/evm/addresses/address-overview.ts'
import { addressLabelRoutes } from './routes/evm/addresses/address-label.ts'
import { approvalRoutes } from './routes/evm/addresses/approvals.ts'
import { addressTransactionRoutes } from './routes/evm/addresses/address-transactions.ts'
import { addressTransferRoutes } from './routes/evm/addresses/address-transfers.ts'
import { evmChainsBehind } from './routes/evm/behind.ts'
import { blockRoutes } from './routes/evm/blocks.ts'
import { chainRoutes } from './routes/evm/chains.ts'
import { contractCodeRoutes } from './routes/evm/contracts/contract-code.ts'
import { contractMetadataRoutes } from './routes/evm/contracts/contract-metadata.ts'
import { contractPowerRoutes } from './routes/evm/contracts/powers.ts'
import { contractEventRoutes } from './routes/evm/contracts/contract-events.ts'
import { contractReadRoutes } from './routes/evm/contracts/contract-read.ts'
import { contractSimulateRoutes } from './routes/evm/contracts/contract-simulate.ts'
import type { RouteContext } from './http/route-context.ts'
import { deploymentRoutes } from './routes/evm/contracts/deployments.ts'
import { holderRoutes } from './routes/tokens/holders.ts'
import { mediaRoutes } from './routes/tokens/media.ts'
import { metricRoutes } from './routes/metrics/metrics.ts'
import { breakdownRoutes } from './routes/metrics/breakdowns.ts'
import { distinctRoutes } from './routes/metrics/distinct.ts'
import { networkMetricRoutes } from './routes/metrics/network-metrics.ts'
import { pictureRoutes } from './routes/pictures/pages.ts'
import { proofRoutes } from './routes/metrics/proof.ts'
import { rankingRoutes } from './routes/metrics/rankings.ts'
import { latestRoutes } from './routes/network/latest.ts'
import { trafficRoutes } from './routes/metrics/traffic.ts'
import { nftRoutes } from './routes/tokens/nfts.ts'
import { primaryRoutes } from './routes/primary.ts'
import { primaryChainsBehind } from './routes/primary/behind.ts'
import { serveValidatorSeries } from './routes/network/prometheus.ts'
import { readinessRoutes } from './routes/network/readiness.ts'
import { reindexRoutes } from './routes/tokens/reindex.ts'
import { sessionRoutes } from './routes/network/session.ts'
import { searchRoutes } from './routes/network/search/search.ts'
import { signatureRoutes } from './routes/signatures/signatures.ts'
import { streamAggregations } from './routes/signatures/signature-stream.ts'
import { exportRoutes } from './routes/sql/exports.ts'
import { sqlRoutes } from './routes/sql/sql.ts'
import { statusRoutes } from './routes/network/status.ts'
import { storageRoutes } from './routes/network/storage.ts'
import { tokenHolderRoutes } from './routes/tokens/token-holders.ts'
import { tokenListRoutes } from './routes/tokens/token-list.ts'
import { tokenTransferRoutes } from './routes/tokens/token-transfers.ts'
import { contractSourceRoutes } from './routes/evm/verification/contract-source.ts'
import { etherscanRoutes } from './routes/evm/verification/etherscan.ts'
import { sourcifyRoutes } from './routes/evm/verification/sourcify.ts'
import { transactionRoute } from './routes/evm/transactions/transaction.ts'
import { transactionChangeRoutes } from './routes/evm/transactions/transaction-changes.ts'
import { transactionEnvelopeRoutes } from './routes/evm/transactions/transaction-envelope.ts'
import { transactionCallsRoutes } from './routes/evm/transactions/transaction-calls.ts'
import { transactionFailureRoutes } from './routes/evm/transactions/transaction-failure.ts'
import { transactionMovementRoutes } from './routes/evm/transactions/transaction-movements.ts'
import { transactionRoutes } from './routes/evm/transactions/transactions.ts'
import { watchRoutes } from './routes/watch/watch.ts'
import { Aggregator } from './signatures/aggregator.ts'
import { createSignatureNetwork } from './signatures/network.ts'
import { ExportService } from './sql/export-service.ts'
import { SqlService } from './sql/sql-service.ts'
import type { StoreGate } from './store/store-gate.ts'
import { Verifier } from './contracts/verification/verifier.ts'

export type AppOptions = {
  readonly config: Config
  readonly logger: FastifyBaseLogger
  /** The way to the store; may be closed while the database starts. */
  readonly store: StoreGate
  readonly live: LiveHub
  /** Unix seconds. */
  readonly clock: () => number
  readonly version: string
  /** The token that identifies the operator. */
  readonly localToken: LocalToken
  /** The built dashboard; without it every page is a 404. */
  readonly webFolder?: string
  /** The module that draws pages into their documents; without it they are empty. */
  readonly prerenderFile?: string
  /** The metrics of this process's indexers; by default there are none. */
  readonly indexers?: IndexerCounters
  /** How many of the answers that PostgreSQL writes are checked by the contract: one of so many. */
  readonly checkEvery?: number
  /** Additional implementations, such as a test's. */
  readonly extra?: readonly Implementation[]
}

/**
 * The service as one Fastify instance, not yet listening: REST operations of the contract, documents,
 * live updates, readiness and the dashboard. It closes nothing it was given; connections to nodes are opened
 * when a request needs one, and end with it.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, store, live, clock, version } = options
  // Known once there are routes; before that nothing listens.
  let methodsOf: MethodsOf = () => []
  const app = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.limits.bodyBytes,
    ...receiving(config.limits),
    rewriteUrl: ({ url = '/' }) => withoutHostedPrefix(url),
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: false },
    // A caller's id is ignored, so that callers cannot write to the log.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Whose X-Forwarded-For is believed; nobody's without the setting.
    trustProxy: config.trustedProxies.length > 0 && config.trustedProxies,
    // Events are endless; everything else is closed in order by the service itself.
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, methodsOf),
    frameworkErrors(error, _request, reply) {
      const status = error.statusCode ?? 400
      // The reply's type follows a route's schema, which an unreadable URL does not have.
      void (reply as unknown as FastifyReply).code(status).send(errorAnswer(status, error.message))
    },
  })
  // Bodies are JSON; by default the framework also takes text, which no operation does.
  app.removeContentTypeParser('text/plain')
  const nodes = createNodes()
  const prices = openPrices(config, options.logger)
  app.addHook('onClose', async () => nodes.close())
  const access = createAccess(config, options.localToken)
  const context: RouteContext = {
    config,
    access,
    chains: createChainDirectory(config.chains),
    store,
    live,
    headCache: new HeadCache({ live, now: () => performance.now() }),
    nodes,
    abis: createAbiBook(config.abis),
    prices,
    clock,
    version,
  }
  const aggregator = new Aggregator({
    config,
    store,
    clock,
    connect: (network) =>
      createSignatureNetwork({
        network,
        settings: config.signatures,
        home: join(config.home, 'signatures'),
        logger: options.logger,
        clock,
      }),
  })
  // Signature rounds end before the service waits for its open requests.
  app.addHook('preClose', async () => aggregator.close())
  const lakeFolder = lakeFolderOf(config)
  const exports = new ExportService({
    settings: config.exports,
    lakeFolder,
    database: () => store.get().database,
  })
  const sql = new SqlService({
    settings: config.sql,
    lakeFolder,
    chains: context.chains.all,
    networks: config.networks,
    abis: config.abis.map(({ path, ...abi }) => ({ ...abi, items: readAbiFile(path) })),
    database: () => store.get().database,
  })
  app.addHook('onClose', async () => sql.close())
  const verifier = new Verifier({
    settings: config.verification,
    home: config.home,
    store,
    nodes,
    clock,
    onError: (error) => options.logger.error(error, 'a check of a contract failed'),
  })
  app.addHook('preClose', async () => verifier.close())
  const ofChains = onceIndexed(
    [evmChainsBehind(context), primaryChainsBehind(context)],
    [
      ...chainRoutes(context),
      ...blockRoutes(context),
      ...transactionRoutes(context),
      ...transactionRoute(context),
      ...transactionChangeRoutes(context),
      ...transactionMovementRoutes(context),
      ...transactionEnvelopeRoutes(context),
      ...transactionFailureRoutes(context),
      ...transactionCallsRoutes(context),
      ...addressNativeRoutes(context),
      ...addressTransferRoutes(context),
      ...addressInternalRoutes(context),
      ...addressTransactionRoutes(context),
      ...addressBalanceRoutes(context),
      ...addressOverviewRoutes(context),
      ...addressLabelRoutes(context),
      ...approvalRoutes(context),
      ...contractMetadataRoutes(context),
      ...contractCodeRoutes(context),
      ...contractPowerRoutes(context),
      ...contractEventRoutes(context),
      ...contractReadRoutes(context),
      ...contractSimulateRoutes(context),
      ...contractSourceRoutes(context),
      ...deploymentRoutes(context),
      ...erc20BalanceRoutes(context),
      ...nftBalanceRoutes(context),
      ...metricRoutes(context),
      ...networkMetricRoutes(context),
      ...breakdownRoutes(context),
      ...distinctRoutes(context),
      ...rankingRoutes(context),
      ...trafficRoutes(context),
      ...holderRoutes(context),
      ...tokenListRoutes(context),
      ...tokenTransferRoutes(context),
      ...tokenHolderRoutes(context),
      ...nftRoutes(context),
      ...reindexRoutes(context),
      ...primaryRoutes(context),
      ...signatureRoutes(context, aggregator),
      ...watchRoutes(context),
      ...searchRoutes(context),
      ...sqlRoutes(context, sql),
      ...exportRoutes(context, exports, lakeFolder),
      ...proofRoutes(context, sql),
      ...statusRoutes(context),
      ...sessionRoutes(context),
      ...storageRoutes(context),
    ],
  )
  const answering = [...ofChains, ...(options.extra ?? [])]
  // A picture, like an answer made of others, shows what everybody may read.
  const open = answering.filter(({ surface }) => surface === undefined)
  const implementations = [...answering, ...latestRoutes(context, open), ...pictureRoutes(context, open)]
  const implemented = new Set(implementations.map((item) => item.operation.id))
  const missing = operations.filter((operation) => !implemented.has(operation.id))
  const profiles = dashboardProfiles(
    config,
    missing.map((operation) => operation.id),
    version,
    prices.label,
  )
  const profilesText = JSON.stringify(profiles)

  await secure(app, [...profileOrigins(config), ...consoleOrigins(config)], config.allowedOrigins)
  await acceptSockets(app, config)
  const page = await serveDashboard(app, options.webFolder, config, options.prerenderFile)
  methodsOf = handleFailures(app, operations, page)
  boundLoad(app, config.limits)

  const identify = createIdentity(config.apiKeys, config.limits, createFindUser(config.signIn, clock))
  await app.register(async (api) => {
    identifyCallers(api, identify)
    await limitRequests(api, config.limits)
    requireSignIn(api, config.signIn, createOperatorCheck(options.localToken, config.gateway.hosts))
    bindOperations(api, operations, implementations, { access, checkEvery: options.checkEvery ?? 1 })
    mediaRoutes(api, context)
    sourcifyRoutes(api, context, verifier)
    await etherscanRoutes(api, context, { verifier, identify })
    streamEvents(api, { live, store, clock, maxConnections: config.limits.liveConnections })
    streamAggregations(api, context, aggregator, { maxConnections: config.limits.liveConnections })
    serveDocuments(api, operations, version)
    serveMcp(api, { app, config, version })
    serveValidatorSeries(api, context)
    await serveGateway(api, config, access)
    servePrometheus(api, {
      config,
      access,
      store,
      live,
      clock,
      indexers: options.indexers ?? new Map(),
      rounds: aggregator.counters,
    })
  })
  readinessRoutes(app, context)
  app.get('/config.json', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(profilesText),
  )
  return app
}
