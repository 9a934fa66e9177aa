import { keccak256, type Hex } from 'viem'
import type { Queryable } from '../../store/database.ts'
import { readMade, type MadeContract } from '../../store/evm/contract-codes.ts'
import { readVerifiedByCode, type VerifiedContract } from '../../store/evm/verified-contracts.ts'
import type { CompiledContract } from '../matching/compiled.ts'
import { matchContract, type CodeMatch } from '../matching/match.ts'
import { changesOf } from './check.ts'

/** A contract that another one created, with its code. */
type Created = { readonly address: Buffer; readonly creator: Buffer; readonly code: Hex }

/**
 * The sources of a contract that a verified one created: its code is what the creator's sources say that it creates, with
 * other values of immutable variables. Undefined if it is none of that. `now` in Unix seconds.
 */
export async function recognizeMade(
  database: Queryable,
  chain: bigint,
  { address, creator, code }: Created,
  now: number,
): Promise<VerifiedContract | undefined> {
  if (code === '0x') return undefined
  const found = bestOf(await readMade(database, chain, creator), code)
  if (!found) return undefined
  const source = await readVerifiedByCode(database, chain, found.made.code_hash)
  if (!source) return undefined
  const { code_hash: _creator, compiled: text, ...described } = found.made
  const compiled = JSON.parse(text) as CompiledContract
  return {
    ...described,
    chain,
    address,
    code_hash: Buffer.from(keccak256(code).slice(2), 'hex'),
    verified_ts: BigInt(now),
    runtime_match: found.match.match,
    // The index has no creation code of what a contract creates.
    creation_match: null,
    language: source.language,
    compiler: source.compiler,
    sources: source.sources,
    settings: source.settings,
    runtime_code: compiled.runtime.object,
    creation_code: compiled.creation.object,
    runtime_changes: changesOf(found.match),
    creation_changes: null,
    constructor_arguments: null,
    creation_tx: null,
    made_by: creator,
  }
}

function bestOf(
  made: readonly MadeContract[],
  code: Hex,
): { readonly made: MadeContract; readonly match: CodeMatch } | undefined {
  const fitting = made.flatMap((each) => {
    const verdict = matchContract(JSON.parse(each.compiled) as CompiledContract, { runtime: code.slice(2) })
    return typeof verdict === 'string' || !verdict.runtime ? [] : [{ made: each, match: verdict.runtime }]
  })
  return fitting.find(({ match }) => match.match === 'exact_match') ?? fitting[0]
}
