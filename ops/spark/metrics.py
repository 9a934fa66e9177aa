"""
The metrics of an EVM chain by day, counted from the rows of a lake: the definitions of docs/metrics.md in SQL, and none
of the running sums that the indexer keeps. Sums that exceed 38 digits end the job with an error (ANSI mode).
"""

from pyspark.sql import DataFrame

from lake import Lake
from tokens import NOBODY

DAY = 86_400
_DAY_OF = f"ts - pmod(ts, {DAY})"

_BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"
_WARP = "0x0200000000000000000000000000000000000005"
_SENT = "0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d"
_MESSENGER = "0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf"
_DELIVERED = "0x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34"


def _number(word: str) -> str:
    """SQL of a word's lowest eight bytes, as an integer; null if that is not below 2^63."""
    return f"try_cast(conv(right({word}, 16), 16, 10) as bigint)"


def _word(at: str) -> str:
    """SQL of the word that begins at a byte of the data of a log; shorter than 64 digits beyond its end."""
    return f"substring(data, int(3 + 2 * least({at}, length(data))), 64)"


def _is_empty_list(at: int) -> str:
    """SQL of whether the list whose offset is at a byte of the data is there and has no items."""
    offset = _word(str(at))
    return f"(left({offset}, 48) = '{'0' * 48}' and {_word(_number(offset))} = '{'0' * 64}')"


_MESSAGE = """^0000.{72}(.{8})(.*)$"""

#: Views over the lake's tables, in the order in which they build on each other. `day` is when a day begins.
_VIEWS = {
    # Blocks of the same second count as one; a genesis block of the time 0 is no predecessor of another.
    "seconds": f"""
        select {_DAY_OF} as day, ts, cast(sum(tx_count) as decimal(38, 0)) as txs,
          cast(sum(gas_used) as decimal(38, 0)) as gas
        from blocks where ts > 0 group by ts""",
    "last_seconds": """
        select day, last_ts, lag(last_ts) over (order by day) as previous_ts
        from (select day, max(ts) as last_ts from seconds group by day)""",
    # Rates have 18 digits behind the point, which tells all of them apart whose times are below 10^9 s.
    "peaks": """
        select day, max_by(struct(txs as amount, time as per), cast(txs as decimal(20, 0)) / time) as tps,
          max_by(struct(gas as amount, time as per), cast(gas as decimal(20, 0)) / time) as gps
        from (
          select day, txs, gas, cast(ts - coalesce(lag(ts) over (partition by day order by ts), previous_ts)
            as decimal(18, 0)) as time
          from seconds join last_seconds using (day))
        where time is not null group by day""",
    "block_days": f"""
        select {_DAY_OF} as day, sum(cast(gas_used as decimal(38, 0))) as gas,
          sum(cast(gas_limit as decimal(38, 0))) as gas_limit,
          sum(gas_used * cast(coalesce(base_fee, '0') as decimal(38, 0))) as burned,
          min(if(traced, null, ts)) as untraced
        from blocks group by day""",
    "prices": f"""
        select t.number, t.ts - pmod(t.ts, {DAY}) as day, t.status, cast(t.gas_used as decimal(20, 0)) as gas_used,
          cast(t.gas_price as decimal(38, 0)) as price, cast(coalesce(b.base_fee, '0') as decimal(38, 0)) as base_fee
        from transactions t join blocks b on b.number = t.number""",
    "transaction_days": """
        select day, count(*) as txs, count_if(status = 0) as failed, sum(gas_used * price) as fees,
          sum(gas_used * greatest(price - base_fee, 0)) as priority, sum(price) as gas_price, max(price) as highest
        from prices group by day""",
    # The prices at the ranks of the middle, counted from 1.
    "medians": """
        select day, min(price) filter (where rank_to * 2 >= n) + min(price) filter (where rank_to * 2 > n) as middle
        from (
          select day, price, sum(n) over (partition by day order by price) as rank_to, sum(n) over (partition by day) as n
          from (select day, price, count(*) as n from prices group by day, price))
        group by day""",
    "empty_batches": f"""
        select {_DAY_OF} as day, concat('0x', right(topic2, 40)) as sender, concat('0x', right(topic3, 40)) as recipient
        from logs
        where topic0 = '{_BATCH}' and left(topic2, 26) = '0x{"0" * 24}' and left(topic3, 26) = '0x{"0" * 24}'
          and {_is_empty_list(0)} and {_is_empty_list(32)}""",
    "pairs": f"""
        select {_DAY_OF} as day, sender, recipient from transactions
        union all select {_DAY_OF}, sender, recipient from token_transfers
        union all select day, sender, recipient from empty_batches""",
    "acts": """
        select day, sender as address, true as sends from pairs
        union all select day, recipient, false from pairs""",
    "active": f"""
        select day, address, max(sends) as sends from acts where address <> '{NOBODY}' group by day, address""",
    "address_days": "select day, count(*) as addresses, count_if(sends) as senders from active group by day",
    "new_addresses": """
        select day, count(*) as new_addresses from (select min(day) as day from active group by address) group by day""",
    "creations": f"select {_DAY_OF} as day, deployer from contracts",
    "contract_days": f"""
        select day, count(*) as contracts, count(distinct nullif(deployer, '{NOBODY}')) as deployers
        from creations group by day""",
    "new_deployers": f"""
        select day, count(*) as new_deployers
        from (select min(day) as day from creations where deployer <> '{NOBODY}' group by deployer) group by day""",
    "transfer_days": f"select {_DAY_OF} as day, count(*) as transfers from token_transfers group by day",
    "log_days": f"select {_DAY_OF} as day, count(*) as logs from logs group by day",
    "new_tokens": f"""
        select {_DAY_OF} as day, count(*) as new_tokens
        from (select min(ts) as ts from token_transfers group by token) group by day""",
    "bodies": f"""
        select {_DAY_OF} as day, substring(data, 131, int({_number(_word("32"))} * 2)) as body
        from logs
        where topic0 = '{_SENT}' and address = '{_WARP}' and {_number(_word("32"))} <= (length(data) - 130) div 2""",
    "message_days": f"""
        select day, count_if(sent) as sent, count_if(not sent) as delivered
        from (
          select day, true as sent from bodies
          where body rlike '{_MESSAGE}' and {_number(f"regexp_extract(body, '{_MESSAGE}', 1)")} * 2
            = length(regexp_extract(body, '{_MESSAGE}', 2))
          union all
          select {_DAY_OF} as day, false as sent from logs
          where topic0 = '{_DELIVERED}' and address = '{_MESSENGER}' and topic3 is not null)
        group by day""",
    # Every day from the first block's to the last complete one, and the day of a genesis block with the time 0 before them.
    "calendar": f"""
        select explode(sequence(min({_DAY_OF}), {{end}} - {DAY}, {DAY})) as day from blocks where ts > 0
        union select {_DAY_OF} from blocks where ts = 0""",
    "counted": f"""
        select *,
          sum(coalesce(txs, 0)) over so_far as all_txs,
          sum(coalesce(new_addresses, 0)) over so_far as all_addresses,
          sum(coalesce(contracts, 0)) over so_far - coalesce(contracts, 0) as contracts_before,
          sum(coalesce(new_deployers, 0)) over so_far as all_deployers,
          coalesce(min(untraced) over so_far, {{end}}) as first_untraced
        from calendar
          left join last_seconds using (day) left join peaks using (day) left join block_days using (day)
          left join transaction_days using (day) left join medians using (day) left join address_days using (day)
          left join new_addresses using (day) left join contract_days using (day) left join new_deployers using (day)
          left join new_tokens using (day) left join transfer_days using (day) left join log_days using (day)
          left join message_days using (day)
        window so_far as (order by day)""",
    "first_second": "select ts as first_ts, txs as first_txs, gas as first_gas from seconds order by ts limit 1",
}


def _rate(total: str, first: str) -> tuple[str, str]:
    """SQL of a day's total over the time since the last second before the day, or since the chain's first second."""
    return (
        f"if(previous_ts is null, {total} - {first}, {total})",
        "last_ts - coalesce(previous_ts, first_ts)",
    )


#: SQL of each metric as a fraction; a divisor of 0 means that nothing was measured.
_METRICS = {
    "activeAddresses": ("addresses", "1"),
    "activeSenders": ("senders", "1"),
    "cumulativeAddresses": ("all_addresses", "1"),
    "tokenTransfers": ("transfers", "1"),
    "eventLogs": ("logs", "1"),
    "txCount": ("txs", "1"),
    "avgTps": _rate("txs", "first_txs"),
    "maxTps": ("tps.amount", "tps.per"),
    "cumulativeTxCount": ("all_txs", "1"),
    "failedTxCount": ("failed", "1"),
    "failedTxShare": ("100 * failed", "txs"),
    "gasUsed": ("gas", "1"),
    "blockFill": ("100 * gas", "gas_limit"),
    "avgGps": _rate("gas", "first_gas"),
    "maxGps": ("gps.amount", "gps.per"),
    "feesPaid": ("fees", "1"),
    "burnedFees": ("burned", "1"),
    "priorityFees": ("priority", "1"),
    "avgGasPrice": ("gas_price", "txs"),
    # The mean of the two middle prices, rounded down.
    "medianGasPrice": ("middle - middle % 2", "if(middle is null, 0, 2)"),
    "maxGasPrice": ("highest", "if(highest is null, 0, 1)"),
    "contracts": ("contracts", "1"),
    "deployers": ("deployers", "1"),
    "cumulativeContracts": ("contracts_before", "1"),
    "cumulativeDeployers": ("all_deployers", "1"),
    "newTokens": ("new_tokens", "1"),
    "messagesSent": ("sent", "1"),
    "messagesDelivered": ("delivered", "1"),
}

#: When a metric that is counted from traces is known: contracts of untraced blocks are missing from all later sums.
_KNOWN = {
    "contracts": "untraced is null",
    "deployers": "untraced is null",
    "cumulativeContracts": f"first_untraced >= if(day > first_ts, day, day + {DAY})",
    "cumulativeDeployers": f"first_untraced >= day + {DAY}",
}


def count_metrics(lake: Lake) -> DataFrame:
    """
    The metrics of the days that the lake has whole, a row each: `metric`, `day` (Unix seconds, UTC), and the value as
    the fraction of `amount` and `per`, decimal text. Days whose value is unknown for want of traces have no row.
    """
    spark = lake.spark
    for table in ("blocks", "transactions", "logs", "token_transfers", "contracts"):
        lake.table(table).createOrReplaceTempView(table)
    # The last block shows that the days before its own have no further ones.
    end = lake.last_ts - lake.last_ts % DAY
    for name, sql in _VIEWS.items():
        frame = spark.sql(sql.format(end=end) if "{end}" in sql else sql)
        (frame.persist() if name in ("active", "seconds", "counted") else frame).createOrReplaceTempView(name)
    values = ",\n".join(
        f"('{name}', {_KNOWN.get(name, 'true')}, cast(coalesce({amount}, 0) as decimal(38, 0)), "
        f"cast(coalesce({per}, 0) as decimal(38, 0)))"
        for name, (amount, per) in _METRICS.items()
    )
    return spark.sql(f"""
        select metric, day, cast(if(per = 0, 0, amount) as string) as amount, cast(per as string) as per
        from counted cross join first_second
          lateral view inline(array({values})) as metric, known, amount, per
        where known and day >= first_ts - pmod(first_ts, {DAY})
        order by metric, day""")
