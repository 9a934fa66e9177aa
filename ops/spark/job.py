"""
Counts the metrics of an EVM chain by day, or folds the state of its tokens, from a lake; see docs/lake.md.

    spark-submit --master spark://HOST:PORT ops/spark/job.py metrics --lake lake --chain 43114 --out counted
"""

import argparse
import sys

from pyspark.sql import SparkSession

from lake import LakeError, open_lake
from metrics import count_metrics
from tokens import fold_tokens


def main() -> int:
    parser = argparse.ArgumentParser(prog="job.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("task", choices=["metrics", "tokens"], nargs="+")
    parser.add_argument("--lake", required=True, help="the lake's root, where every worker can read it")
    parser.add_argument("--chain", required=True, type=int, help="the EVM chain id")
    parser.add_argument("--out", required=True, help="a folder for the results, which are replaced")
    parser.add_argument("--format", choices=["parquet", "csv"], default="parquet")
    given = parser.parse_args()

    spark = (
        SparkSession.builder.appName("ridgeline")
        # An overflow ends the job instead of giving null; days do not depend on a session's time zone.
        .config("spark.sql.ansi.enabled", "true")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    try:
        lake = open_lake(spark, given.lake.rstrip("/"), str(given.chain))
        tables = {}
        if "metrics" in given.task:
            tables["metrics"] = count_metrics(lake).coalesce(1)
        if "tokens" in given.task:
            tables |= fold_tokens(lake)
        for name, frame in tables.items():
            writer = frame.write.mode("overwrite").format(given.format)
            (writer.option("header", True) if given.format == "csv" else writer).save(f"{given.out}/{name}")
            print(f"{name} written")
    except LakeError as error:
        print(f"job  {error}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
