import type { Database } from '../store/database.ts'
import { transferLogs } from '../store/evm/transfer-logs.ts'
import type { Findings } from './findings.ts'

/** The address in a topic; null if its first bytes are not zero, which makes a transfer malformed. */
const addressIn = (topic: string): string =>
  `case when substring(${topic} for 12) = decode(repeat('00', 12), 'hex') then substring(${topic} from 13) end`

const inPart = (table: string): string =>
  `${table} where chain = $1 and number >= part.from_block and number < part.before_block`

/** The parties of well-formed transfers of a shape, and the token. */
const transfersOf = (shape: keyof typeof transferLogs, sender: string, recipient: string): string => `
  select unnest(array[l.sender, l.recipient, l.address])
  from (
    select ${addressIn(sender)} as sender, ${addressIn(recipient)} as recipient, address
    from ${inPart('logs')} and ${transferLogs[shape]}) l
  where l.sender is not null and l.recipient is not null`

// Batches are not decoded here: whose balance one changed is in `balances`, and whose token in `token_blocks`.
const statement = `
  select part.from_block, '0x' || encode(lost.address, 'hex') as address
  from listed_partitions part
  cross join lateral (
    select address from (
      select unnest(array[sender, recipient, created]) as address from ${inPart('transactions')}
      union ${transfersOf('ERC-20', 'topic1', 'topic2')}
      union ${transfersOf('ERC-721', 'topic1', 'topic2')}
      union ${transfersOf('ranges', 'topic2', 'topic3')}
      union select unnest(array[address, token]) from ${inPart('balances')}
      union select token from ${inPart('token_blocks')}
      union select unnest(array[sender, recipient]) from ${inPart('calls')}
        and (value > 0 and type = 'CALL' or type in ('CREATE', 'CREATE2', 'SELFDESTRUCT'))
      union select unnest(array[address, deployer, origin]) from ${inPart('contracts')}
      union select authority from ${inPart('authorizations')}) found
    where address is not null and address <> decode(repeat('00', 20), 'hex')
    except select address from address_partitions where chain = $1 and from_block = part.from_block
    limit 20) lost
  where part.chain = $1
  limit 20`

/** Checks that the lists of an address leave out no partition that has rows of it (I7). */
export async function checkAddressPartitions(
  database: Database,
  chain: bigint,
  findings: Findings,
): Promise<void> {
  const rows = await database.unsafe<{ from_block: bigint; address: string }[]>(statement, [String(chain)])
  for (const { from_block, address } of rows)
    findings.add('I7', `lists of ${address} leave out the partition from block ${from_block} on`)
}
