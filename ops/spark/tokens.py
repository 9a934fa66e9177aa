"""
The state of tokens that a chain's history folds to: balances after every block that changed them, holders, and the
totals of tokens, as the tables of PostgreSQL of the same names have them (server/store/schema/tokens.ts).
"""

from pyspark.sql import DataFrame

from lake import Lake
from words import as_text, is_positive, is_zero, normalised, parts, sums, word_parts

NOBODY = "0x" + "0" * 40

#: A movement of one id. That of a range of ERC-721 tokens has the number of its ids as its amount.
_HAS_ITEM = "(kind = 1155 or kind = 721 and amount = '1')"

_DEPOSIT = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c"
_WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65"

#: Deposits into wrappers of the native token, and withdrawals: of contracts that log ERC-20 transfers as well (docs/tokens.md).
_WRAPS = f"""
    select number, tx_index, index as log_index, address as token, topic0 = '{_DEPOSIT}' as is_deposit,
      concat('0x', right(topic1, 40)) as account, {word_parts("substring(data, 3)")}
    from logs left semi join (select token as address from token_transfers where kind = 20) using (address)
    where topic0 in ('{_DEPOSIT}', '{_WITHDRAWAL}') and topic1 is not null and topic2 is null and length(data) = 66
      and left(topic1, 26) = '0x{"0" * 24}' and right(topic1, 40) <> '{"0" * 40}'"""

#: The accounts whose deposits and withdrawals a transfer of the same transaction tells of as well.
_TOLD = f"""
    select number, tx_index, token, recipient as account from token_transfers
    where kind = 20 and sender in ('{NOBODY}', token)
    union all select number, tx_index, token, sender from token_transfers
    where kind = 20 and recipient in ('{NOBODY}', token)"""

#: What each movement adds to a balance: of the contract's tokens together (id -1), and of the one token with that id.
_CHANGES = f"""
    select number, kind, token, address, id, {parts("amount", "sign")}
    from (
      select number, kind, token, amount, side.address, side.sign,
        explode(if({_HAS_ITEM}, array('-1', token_id), array('-1'))) as id
      from (
        select *, explode(array(
          named_struct('address', sender, 'sign', -1), named_struct('address', recipient, 'sign', 1))) as side
        from movements))
    where address <> '{NOBODY}'
"""

_KEY = "kind, token, address, id"


def fold_tokens(lake: Lake) -> dict[str, DataFrame]:
    """The tables `balances`, `holders`, `token_blocks`, `tokens` and `nfts` of a chain, without its key. Amounts are text."""
    spark = lake.spark
    for name in ("token_transfers", "logs"):
        lake.table(name).createOrReplaceTempView(name)

    wraps = as_text(normalised(spark.sql(_WRAPS), "amount"), "amount")
    wraps.join(spark.sql(_TOLD), ["number", "tx_index", "token", "account"], "left_anti").createOrReplaceTempView("wraps")
    spark.sql(f"""
        select number, log_index, kind, token, sender, recipient, token_id, amount, false as is_wrap from token_transfers
        union all
        select number, log_index, 20, token, if(is_deposit, '{NOBODY}', account), if(is_deposit, account, '{NOBODY}'),
          null, amount, true
        from wraps""").createOrReplaceTempView("movements")

    changes = spark.sql(f"select {_KEY}, number, {sums()} from ({_CHANGES}) group by {_KEY}, number")
    # A block that gives as much as it takes does not change a balance.
    normalised(changes, "change").where(f"not ({is_zero('change')})").selectExpr(
        *_KEY.split(", "), "number", "change.*"
    ).createOrReplaceTempView("changes")
    so_far = f"over (partition by {_KEY} order by number)"
    balances = normalised(spark.sql(f"select {_KEY}, number, {sums(so_far)} from changes"), "balance").persist()
    balances.createOrReplaceTempView("balances")

    holders = spark.sql(f"""
        select kind, token, address, max_by(balance, number) as balance, max(balance) as peak
        from balances where id = '-1' group by kind, token, address""")

    # In a block, the number of holders changes by those who began to hold less those who stopped.
    spark.sql(f"""
        select kind, token, number, int(holds) - int(lag(holds, 1, false) over (partition by {_KEY} order by number)) as step
        from (select *, {is_positive("balance")} as holds from balances where id = '-1')""").createOrReplaceTempView(
        "steps"
    )
    minted = f"case when sender = recipient then 0 when sender = '{NOBODY}' then 1 when recipient = '{NOBODY}' then -1 else 0 end"
    # What a wrapper sends to nobody is still wrapped.
    wrapped = f"case when not is_wrap and struct(number, log_index) > first_wrap then 0 else {minted} end"
    spark.sql(f"""
        select kind, token, number, count_if(not is_wrap) as transfers, {sums()}
        from (
          select kind, token, number, is_wrap, {parts("amount", wrapped)}
          from movements left join (
            select token, 20 as kind, min(struct(number, log_index)) as first_wrap from wraps group by token)
          using (token, kind))
        group by kind, token, number""").createOrReplaceTempView("moved")
    along = "over (partition by kind, token order by number)"
    token_blocks = normalised(
        spark.sql(f"""
            select kind, token, number, sum(coalesce(step, 0)) {along} as holders,
              sum(transfers) {along} as cum_transfers, {sums(along)}
            from moved left join (
              select kind, token, number, sum(step) as step from steps group by kind, token, number)
            using (kind, token, number)"""),
        "supply",
    )
    return {
        "balances": as_text(balances, "balance").withColumnRenamed("id", "token_id"),
        "holders": as_text(holders, "balance", "peak"),
        "token_blocks": as_text(token_blocks, "supply"),
        "tokens": spark.sql(
            "select kind, token, min(number) as first_block from token_transfers group by kind, token"
        ),
        "nfts": spark.sql(f"""
            select kind, token, token_id, min(number) as first_block from token_transfers
            where {_HAS_ITEM} group by kind, token, token_id"""),
    }
