import type { Operation } from '../../contract/base/operation.ts'
import { inSentence } from '../lib/text.ts'
import { refusal, type ApiError } from './errors.ts'

type Instead = {
  readonly words: string
  /** The operation that it takes. */
  readonly by: string
}

/** What to do instead, by the id of the operation that a service lacks. */
const instead: Readonly<Record<string, Instead>> = {
  listBlocks: { words: 'Open a block by its number.', by: 'getBlock' },
  listTransactions: { words: 'Open a transaction by its hash.', by: 'getTransaction' },
  getBlock: { words: 'Its transactions are below.', by: 'listBlockTransactions' },
  listPrimaryBlocks: {
    words:
      'Its transactions are listed, and the blocks that a node proposed are on the page of its validator.',
    by: 'listNodeBlocks',
  },
  getPrimaryBlock: {
    words: 'The blocks that a node proposed are on the page of its validator.',
    by: 'listNodeBlocks',
  },
  getPrimaryTransaction: {
    words: 'The newest transactions, and those of an address, are listed with all they contain.',
    by: 'listPrimaryTransactions',
  },
  listValidators: { words: 'Open a validator by its node ID.', by: 'listNodeValidations' },
  listDelegators: { words: 'Its rewards are listed.', by: 'listRewards' },
  listL1Validators: {
    words: 'The transactions of an L1 validator are listed by its validation ID.',
    by: 'listPrimaryTransactions',
  },
  getToken: {
    words: 'What is known of the contract is on the page of its address.',
    by: 'getContractMetadata',
  },
  listSubnets: { words: 'Blockchains are listed, each with its subnet.', by: 'listBlockchains' },
  getVertex: { words: 'The newest vertices are listed.', by: 'listVertices' },
  listUtxos: { words: 'The balances of the address are shown.', by: 'getPrimaryBalances' },
  listAddressTransactions: {
    words: 'The balances of the address, and its transfers of ERC-1155 tokens, are listed.',
    by: 'listErc1155Transfers',
  },
}

const verbs: Readonly<Record<string, string>> = { Get: 'show' }

/**
 * What a service does not do, in a sentence from the summary of the operation, and what to do instead: “This service does
 * not list the blocks of a chain. Open a block by its number.”
 */
function lackingWords({ id, summary }: Operation, has: (id: string) => boolean): string {
  const [clause = ''] = summary.split(/[,;:]/, 1)
  const [, verb = '', rest = ''] = /^(\S+) (.*)$/.exec(clause) ?? []
  const isVerb =
    /^(Get|List|Find|Read|Collect|Run|Count|Export|Take|Call|Create|Send|Try|Add|Remove|Silence|End)$/.test(
      verb,
    )
  const said = isVerb ? `${verbs[verb] ?? inSentence(verb)} ${rest}` : `offer ${inSentence(clause)}`
  const { words, by = '' }: Partial<Instead> = instead[id] ?? {}
  return `This service does not ${said}.${words !== undefined && has(by) ? ` ${words}` : ''}`
}

/** The error for an operation that a deployment lacks; `has` says which others it has. */
export const notOffered = (operation: Operation, has: (id: string) => boolean = () => false): ApiError =>
  refusal(lackingWords(operation, has), operation.id)
