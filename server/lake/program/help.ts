/** What `ridgeline lake --help` prints. */
export const help = `ridgeline lake COMMAND --root DIR …

Keeps sealed (final) history as Parquet files; see docs/lake.md.

  extract  reads ranges of blocks from a node, with all checks of the indexer
  seal     writes what becomes final, beside the live indexer (of DATABASE_URL), until it is ended
  load     fills the tables of a chain from a lake, without a node; the indexer continues from there
  verify   recounts a lake: manifests, content, links, hashes, roots and counts
  pull     copies what a folder lacks of a lake in S3-compatible storage

  --root DIR         the lake's folder, or s3://BUCKET/PREFIX
  --into DIR         pull: the folder
  --chain ID         the EVM chain id, or P or X for a chain of the primary network
  --rpc URL          the node: its EVM endpoint, or its base URL for P and X
  --genesis FILE     P and X: the bytes of the network's genesis, for the first extraction
  --from N, --to N   the first and the last block; only whole ranges are written
  --range-size N     blocks per range, 10000 if not given; the same for the whole lake
  --workers N        processes, 1 if not given
  --concurrency N    requests that a worker has under way, 8 if not given
  --traces METHOD    trace, debug, or off for no inner calls; else found out from the node
  --confirmations N  a block with as many blocks above it is final; else the node says
  --network NAME     P and X: mainnet (the default) or fuji, as DATABASE_URL has it
  --bulk             load: a chain that has no blocks yet table by table, without recomputing hashes: much faster
  --without-c        load, P and X: the service that continues does not index the C-Chain
  --once             seal: end when everything final is sealed
  --files            verify: only manifests, content hashes and the links of ranges
  --leases NAME      share the ranges with other machines through DATABASE_URL
`
