import type { Tool } from './tool.ts'
import { addressActivity, addressBalances, walletBalances } from './balances.ts'
import { find, listServedChains } from './find.ts'
import { messageSignatures } from './messages.ts'
import { compareChains, metric, ranking } from './metrics.ts'
import { serviceState } from './service.ts'
import { sql, sqlTables } from './sql.ts'
import { oneToken, tokens } from './tokens.ts'
import { explainTransaction } from './transaction.ts'
import { l1s, oneValidator, validators } from './validators.ts'

/** Every tool, in the order in which assistants see them. */
export const tools: readonly Tool[] = [
  find,
  listServedChains,
  explainTransaction,
  addressBalances,
  addressActivity,
  walletBalances,
  validators,
  oneValidator,
  l1s,
  metric,
  compareChains,
  ranking,
  tokens,
  oneToken,
  messageSignatures,
  serviceState,
  sqlTables,
  sql,
]
