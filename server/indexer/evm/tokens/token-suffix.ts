import type { Queryable } from '../../../store/database.ts'

/**
 * Rolls tokens back to a block: deletes what later blocks wrote and restores the holders' balances and peaks and the
 * tokens' latest totals.
 * The data that were read from the node (`token_facts`, `nft_metadata`) remain.
 */
export async function deleteTokensAbove(sql: Queryable, chain: number, number: number): Promise<void> {
  // A peak is recomputed only if a deleted block had set it, because that reads the key's whole history.
  await sql`
    with gone as materialized (
      select moved.token, moved.kind, moved.address, moved.top, last.balance
      from (
        select token, kind, address, max(balance) as top
        from balances where chain = ${chain} and number > ${number} and token_id = -1
        group by token, kind, address) moved
      left join lateral (
        select balance from balances b
        where b.chain = ${chain} and b.address = moved.address and b.kind = moved.kind and b.token = moved.token
          and b.token_id = -1 and b.number <= ${number}
        order by b.number desc limit 1) last on true),
    mended as (
      update holders h set balance = gone.balance, peak = case when gone.top < h.peak then h.peak else (
          select max(b.balance) from balances b
          where b.chain = ${chain} and b.address = gone.address and b.kind = gone.kind and b.token = gone.token
            and b.token_id = -1 and b.number <= ${number}) end
      from gone
      where gone.balance is not null
        and h.chain = ${chain} and h.token = gone.token and h.kind = gone.kind and h.address = gone.address)
    delete from holders h using gone
    where gone.balance is null
      and h.chain = ${chain} and h.token = gone.token and h.kind = gone.kind and h.address = gone.address`
  // A token that is none any more: its deposits and withdrawals from before its first transfer no longer count.
  await sql`
    with gone as materialized (
      select h.address, h.kind, h.token from tokens t
      join holders h on h.chain = t.chain and h.token = t.token and h.kind = t.kind
      where t.chain = ${chain} and t.first_block > ${number}),
    bare as (
      delete from balances b using gone
      where b.chain = ${chain} and b.address = gone.address and b.kind = gone.kind and b.token = gone.token)
    delete from holders h using gone
    where h.chain = ${chain} and h.token = gone.token and h.kind = gone.kind and h.address = gone.address`
  await sql`
    delete from token_blocks b using tokens t
    where t.chain = ${chain} and t.first_block > ${number}
      and b.chain = ${chain} and b.token = t.token and b.kind = t.kind`
  await sql`delete from balances where chain = ${chain} and number > ${number}`
  await sql`delete from token_blocks where chain = ${chain} and number > ${number}`
  await sql`delete from tokens where chain = ${chain} and first_block > ${number}`
  await sql`
    update tokens t set (holders, last_block) = (
      select b.holders, b.number from token_blocks b
      where b.chain = t.chain and b.token = t.token and b.kind = t.kind
      order by b.number desc limit 1)
    where t.chain = ${chain} and t.last_block > ${number}`
  await sql`update tokens set first_wrap = null where chain = ${chain} and first_wrap > ${number}`
  await sql`delete from wrapper_candidates where chain = ${chain} and first_block > ${number}`
  await sql`delete from nft_ranges where chain = ${chain} and number > ${number}`
  await sql`delete from nfts where chain = ${chain} and first_block > ${number}`
}
