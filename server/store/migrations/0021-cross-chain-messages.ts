/**
 * Cross-chain messages of EVM chains: sent (direction 0, a log of the warp precompile) and delivered (1, a log of
 * TeleporterMessenger). `peer` is the blockchain at the other end; null if the payload of a sent message does not name
 * it. `index` is the log's. Positions of bytes are those of server/indexer/evm/messages.ts.
 */
export const crossChainMessages = `
create table cross_chain_messages (
  chain bigint not null,
  number bigint not null,
  index integer not null,
  ts bigint not null,
  direction smallint not null,
  peer bytea,
  primary key (chain, number, index)
);
create index cross_chain_messages_time on cross_chain_messages (chain, direction, ts) include (peer);

insert into cross_chain_messages (chain, number, index, ts, direction, peer)
select chain, number, index, ts, 0,
  case
    when substring(data from 107 for 10) <> '\\x00000000000100000014'
      or length(message) < 76
      or ('x' || encode(substring(data from 137 for 4), 'hex'))::bit(32)::bigint <> length(message) - 76 then null
    when substring(data from 117 for 20) = '\\x253b2784c75e510dd0ff1da844684a1ac0aa5fcf' then
      case when length(message) >= 364
        and substring(data from 141 for 32) = decode(lpad('20', 64, '0'), 'hex') then substring(data from 237 for 32) end
    when substring(data from 141 for 6) = '\\x000000000001'
      or (substring(data from 141 for 6) = '\\x000000000003' and length(message) = 130)
      then decode(repeat('00', 32), 'hex')
  end
from (
  select l.chain, l.number, l.index, b.ts, l.data,
    substring(l.data from 65 for
      least(('x' || encode(substring(l.data from 61 for 4), 'hex'))::bit(32)::bigint, 2000000000)::integer) as message
  from logs l join blocks b on b.chain = l.chain and b.number = l.number
  where l.address = '\\x0200000000000000000000000000000000000005'
    and l.topic0 = '\\x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d'
    and length(l.data) >= 106
    and substring(l.data from 57 for 4) = '\\x00000000') logged
where length(message) >= 42
  and length(message) = ('x' || encode(substring(data from 61 for 4), 'hex'))::bit(32)::bigint
  and substring(message from 1 for 2) = '\\x0000'
  and ('x' || encode(substring(message from 39 for 4), 'hex'))::bit(32)::bigint = length(message) - 42;

insert into cross_chain_messages (chain, number, index, ts, direction, peer)
select l.chain, l.number, l.index, b.ts, 1, l.topic2
from (select chain from chains) c
join logs l on l.chain = c.chain and l.address = '\\x253b2784c75e510dd0ff1da844684a1ac0aa5fcf'
join blocks b on b.chain = l.chain and b.number = l.number
where l.topic0 = '\\x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34' and l.topic3 is not null;
`
