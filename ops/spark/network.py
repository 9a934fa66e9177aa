"""
The series of a network by day (docs/metrics.md), counted from the rows of a lake of its P- or X-chain. Those that need rows of
another chain, what a running stake will earn, contents of transactions, or samples of validators are not among them.
"""

from pyspark.sql import DataFrame

from lake import Lake
from metrics import DAY

PRIMARY = "11111111111111111111111111111111LpoYY"
#: Of the formula of rewards: the supply that is approached, in nAVAX, and the upper rate in millionths a year.
CAP, MAX_RATE = 720_000_000 * 10**9, 120_000

#: Staking periods of the primary network: each stake, and the earlier periods of validators that renew themselves.
_PERIODS = {
    "renewed": """
        select staking_tx, max_by(struct(end_ts as start_ts, weight + restaked + restaked_delegation as weight), end_ts) as now
        from staking_cycles where outcome = 'renewed' group by staking_tx""",
    "periods": f"""
        select s.is_delegator, s.node, cast(coalesce(e.weight, r.now.weight, s.weight) as decimal(38, 0)) as weight,
          coalesce(e.start_ts, r.now.start_ts, s.start_ts) as start_ts,
          coalesce(e.end_ts, r.now.start_ts + s.end_ts - s.start_ts, s.end_ts) as end_ts, e.ts as ended_ts,
          false as is_renewed
        from stakes s left join stake_ends e on e.tx_id = s.tx_id left join renewed r on r.staking_tx = s.tx_id
        where s.subnet = '{PRIMARY}'
        union all
        select false, node, cast(weight as decimal(38, 0)), start_ts, end_ts, end_ts, true
        from staking_cycles where outcome = 'renewed'""",
}


def _running(amount: str, who: str = "true") -> str:
    return f"""select start_ts as ts, {amount} as amount from periods where {who}
        union all select ended_ts, -{amount} from periods where {who} and ended_ts is not null"""


def _begun(who: str) -> str:
    return f"""select start_ts as ts, 1 as amount from periods where {who}
        union all select ended_ts, -1 from periods where {who} and is_renewed"""


def _ended(who: str) -> str:
    return f"select ended_ts as ts, 1 as amount from periods where {who} and ended_ts is not null and not is_renewed"


def _rewards(*types: int) -> str:
    return f"""select r.ts, r.amount from rewards r join stakes s on s.tx_id = r.staking_tx
        where s.subnet = '{PRIMARY}' and r.type in ({", ".join(map(str, types))})"""


def _transactions(*types: int) -> str:
    only = f" and type in ({', '.join(map(str, types))})" if types else ""
    return f"select ts, 1 as amount from transactions where number <> 0{only}"


def _made(type: int) -> str:
    """Also by the genesis."""
    return f"select ts, 1 as amount from transactions where type = {type}"


#: SQL of the events of each series: `ts` and `amount`. A sum has those of the day, a level all up to its end.
_SUMS = {
    "P": {
        "expiringStake": "select coalesce(ended_ts, end_ts) as ts, weight as amount from periods",
        "validatorsEntered": _begun("not is_delegator"),
        "validatorsLeft": _ended("not is_delegator"),
        "delegationsEntered": _begun("is_delegator"),
        "delegationsLeft": _ended("is_delegator"),
        "rewardsPaid": _rewards(1, 2, 3),
        "validatorRewardsPaid": _rewards(1),
        "delegatorRewardsPaid": _rewards(2),
        "delegationFeesPaid": _rewards(3),
        "pTransactions": _transactions(),
        "pTransfers": _transactions(34),
        "pImports": _transactions(17),
        "pExports": _transactions(18),
        "pStakingTransactions": _transactions(12, 13, 14, 23, 25, 26, 40, 41),
        "pRewardTransactions": _transactions(20, 42),
        "pSubnetTransactions": _transactions(15, 16, 24, 33),
        "pL1Transactions": _transactions(35, 36, 37, 38, 39),
        "l1Messages": _transactions(36, 37),
    },
    "X": {
        "xTransactions": _transactions(),
        "xTransfers": _transactions(0),
        "xImports": _transactions(3),
        "xExports": _transactions(4),
        "xAssetTransactions": _transactions(1, 2),
    },
}
_LEVELS = {
    "P": {
        "totalStake": _running("weight"),
        "ownStake": _running("weight", "not is_delegator"),
        "delegatedStake": _running("weight", "is_delegator"),
        "validators": _running("1", "not is_delegator"),
        "delegations": _running("1", "is_delegator"),
        "subnets": _made(16),
        "blockchains": _made(15),
        "l1s": _made(35),
    },
    "X": {},
}

_VIEWS = {
    "calendar": f"""
        select explode(sequence(first - pmod(first, {DAY}), {{end}} - {DAY}, {DAY})) as day from (
          select min(ts) as first from {{began}})""",
    "daily": f"""
        select metric, ts - pmod(ts, {DAY}) as day, sum(cast(amount as decimal(38, 0))) as amount from events group by all""",
    "before": """
        select metric, sum(amount) as amount from daily where day < (select min(day) from calendar) group by metric""",
    "counted": """
        select metric, day, if(is_level,
          sum(coalesce(d.amount, 0)) over (partition by metric order by day) + coalesce(b.amount, 0),
          coalesce(d.amount, 0)) as amount, 1 as per
        from names cross join calendar left join daily d using (metric, day) left join before b using (metric)""",
}

#: The state after the last block of each day, and how the stake at its end is spread over the validators.
_STATES = {
    "states": f"""
        select day, last(s.supply, true) over (order by day) as supply, last(s.active, true) over (order by day) as active
        from calendar full join (
          select ts - pmod(ts, {DAY}) as day,
            max_by(struct(cast(supply as decimal(38, 0)) as supply, active_l1_validators as active), struct(ts, number)) as s
          from blocks group by 1) using (day)""",
    "held": f"""
        select day, node, sum(weight) as weight from (
          select node, weight, explode(sequence(first, last, {DAY})) as day from (
            select node, weight, start_ts - pmod(start_ts, {DAY}) as first,
              coalesce(ended_ts - pmod(ended_ts, {DAY}), {{end}}) - {DAY} as last
            from periods)
          where first <= last)
        group by day, node""",
    "ranked": """
        select day, weight, row_number() over largest as place, sum(weight) over largest as held,
          count(*) over (partition by day) as n, sum(weight) over (partition by day) as total
        from held window largest as (partition by day order by weight desc, node rows unbounded preceding)""",
    "spread": """
        select day, max(total) as total, max(n) as n,
          sum(weight) filter (where place <= (n + 99) div 100) as percent,
          sum(weight) filter (where place <= (n * 10 + 99) div 100) as tenth,
          sum(weight) filter (where place <= (n * 33 + 99) div 100) as third,
          2 * sum((n - place + 1) * weight) - max((n + 1) * total) as gini,
          min(place) filter (where held * 1000 >= total * 334) as liveness,
          min(place) filter (where held * 1000 >= total * 667) as safety
        from ranked group by day""",
}
#: As fractions; a divisor of 0 means that nothing was measured.
_OF_STATES = {
    "currentSupply": ("supply", "1"),
    "rewardRate": (f"100 * ({CAP} - supply) * {MAX_RATE}", "supply * 1000000"),
    "activeL1Validators": ("active", "1"),
    "largestPercentShare": ("100 * percent", "total"),
    "largestTenthShare": ("100 * tenth", "total"),
    "largestThirdShare": ("100 * third", "total"),
    "stakeGini": ("gini", "n * total"),
    "nakamotoLiveness": ("liveness", "if(liveness is null, 0, 1)"),
    "nakamotoSafety": ("safety", "if(safety is null, 0, 1)"),
}


def count_network(lake: Lake) -> DataFrame:
    """
    The series of the days that the lake has whole, a row each: `metric`, `day` (Unix seconds, UTC), and the value as
    the fraction of `amount` and `per`, decimal text.
    """
    spark = lake.spark
    letter = str(lake.chain)
    tables = {"P": ["stakes", "stake_ends", "staking_cycles", "rewards"], "X": ["vertices"]}[letter]
    for table in ["blocks", "transactions", *tables]:
        lake.table(table).createOrReplaceTempView(table)
    # The last block shows that the days before its own have no further ones.
    words = {
        "end": lake.last_ts - lake.last_ts % DAY,
        "began": "blocks" if letter == "P" else "(select ts from blocks union all select ts from vertices)",
    }

    def view(name: str, sql: str) -> None:
        spark.sql(sql.format(**words)).persist().createOrReplaceTempView(name)

    if letter == "P":
        for name, sql in _PERIODS.items():
            view(name, sql)
    series = _SUMS[letter] | _LEVELS[letter]
    view("events", " union all ".join(f"select '{name}' as metric, ts, amount from ({sql})" for name, sql in series.items()))
    view("names", "select * from values " + ", ".join(f"('{name}', {name in _LEVELS[letter]})" for name in series)
        + " as names(metric, is_level)")
    for name, sql in _VIEWS.items():
        view(name, sql)
    found = "select metric, day, amount, per from counted"
    if letter == "P":
        for name, sql in _STATES.items():
            view(name, sql)
        fractions = ", ".join(
            f"'{name}', cast(coalesce({amount}, 0) as decimal(38, 0)), cast(coalesce({per}, 0) as decimal(38, 0))"
            for name, (amount, per) in _OF_STATES.items()
        )
        found += f""" union all select metric, day, amount, per
            from calendar left join states using (day) left join spread using (day)
            lateral view stack({len(_OF_STATES)}, {fractions}) as metric, amount, per"""
    return spark.sql(
        f"select metric, day, cast(amount as string) as amount, cast(per as string) as per from ({found}) order by metric, day"
    )
