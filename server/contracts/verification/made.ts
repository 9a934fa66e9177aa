import { keccak256, type Hex } from 'viem'
import type { Queryable } from '../../store/database.ts'
import { readMade, type MadeContract } from '../../store/evm/contracts/contract-codes.ts'
import {
  readIsVerifiedCode,
  readVerifiedByCode,
  type VerifiedContract,
} from '../../store/evm/contracts/verified-contracts.ts'
import type { CompiledContract } from '../matching/compiled.ts'
import { matchContract, type CodeMatch } from '../matching/match.ts'
import { changesOf } from './check.ts'

/** A contract that another one created, with its code. */
type Created = { readonly address: Buffer; readonly creator: Buffer; readonly code: Hex }

/**
 * The sources of a contract that a verified one created: its code is what the creator's sources say that it creates, with
 * other values of immutable variables. Undefined if it is none of that, or has the code of a verified contract, by which it
 * is known already. `now` in Unix seconds.
 */
export async function recognizeMade(
  database: Queryable,
  chain: bigint,
  { address, creator, code }: Created,
  now: number,
): Promise<VerifiedContract | undefined> {
  const codeHash = Buffer.from(keccak256(code).slice(2), 'hex')
  if (code === '0x' || (await readIsVerifiedCode(database, codeHash))) return undefined
  const found = bestOf(await readMade(database, chain, creator), code)
  if (!found) return undefined
  const source = await readVerifiedByCode(database, chain, found.made.code_hash)
  if (!source) return undefined
  const { code_hash: creatorCode, path, name, abi } = found.made
  return {
    path,
    name,
    abi,
    chain,
    address,
    code_hash: codeHash,
    verified_ts: BigInt(now),
    runtime_match: found.match.match,
    // The index has no creation code of what a contract creates.
    creation_match: null,
    language: source.language,
    compiler: source.compiler,
    settings: source.settings,
    sources: '',
    metadata: '',
    userdoc: '',
    devdoc: '',
    storage_layout: '',
    runtime_code: '',
    creation_code: '',
    runtime_changes: changesOf(found.match),
    creation_changes: null,
    constructor_arguments: null,
    creation_tx: null,
    made_by: creator,
    made_code: creatorCode,
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
