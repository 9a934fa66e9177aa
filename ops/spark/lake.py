"""Reads a lake (docs/lake.md) into Spark."""

from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession

#: That of server/lake/tables.ts, which server/lake/spark.test.ts compares.
SCHEMA_VERSION = 3

_MANIFEST = """
    schemaVersion INT, chain STRING, `from` BIGINT, `to` BIGINT,
    first STRUCT<hash: STRING, parentHash: STRING>, last STRUCT<hash: STRING, ts: BIGINT>
"""


class LakeError(Exception):
    """The lake cannot be read; the message says why."""


@dataclass(frozen=True)
class Lake:
    """The ranges of a chain that a lake has, without a gap."""

    spark: SparkSession
    root: str
    #: The EVM chain id.
    chain: str
    names: tuple[str, ...]
    #: The time of the last block, Unix seconds.
    last_ts: int

    def table(self, name: str) -> DataFrame:
        """The rows of a table. Files without a manifest are left out: they are not part of the lake."""
        files = [f"{self.root}/{self.chain}/{name}/{each}.parquet" for each in self.names]
        return self.spark.read.parquet(*files)


def open_lake(spark: SparkSession, root: str, chain: str) -> Lake:
    """Reads the manifests of a chain. Raises LakeError unless its ranges follow each other from the first to the last."""
    manifests = (
        spark.read.schema(_MANIFEST)
        .option("multiLine", True)
        .option("mode", "FAILFAST")
        .json(f"{root}/{chain}/manifests/*.json")
        .orderBy("from")
        .collect()
    )
    if not manifests:
        raise LakeError(f"{root} has no range of chain {chain}")
    for each in manifests:
        if each["schemaVersion"] != SCHEMA_VERSION or each["chain"] != chain:
            raise LakeError(f"the manifest of {each['from']} to {each['to']} is of another version or chain")
    for before, after in zip(manifests, manifests[1:]):
        if after["from"] != before["to"] + 1:
            raise LakeError(f"the lake has a gap between the blocks {before['to']} and {after['from']}")
        if after["first"]["parentHash"] != before["last"]["hash"]:
            raise LakeError(f"block {after['from']} does not follow block {before['to']}")
    names = tuple(f"{each['from']:010d}-{each['to']:010d}" for each in manifests)
    return Lake(spark, root, chain, names, manifests[-1]["last"]["ts"])
