import { type PTx } from './transactions.ts'

/** The gas of one signature: microseconds of its verification, times the weight of a microsecond. */
const signature = 200 * 4
const stateAccess = 1_000

/**
 * The gas of a P-Chain transaction since Etna: bytes, database reads and writes, signatures. The node counts
 * the accesses of each type exactly; here they are estimated as the inputs and outputs plus one.
 */
export function gasOf({ unsigned, credentials }: PTx, length: number): bigint {
  if (!('base' in unsigned)) return BigInt(length)
  const inputs =
    unsigned.base.inputs.length + (unsigned.type === 'ImportTx' ? unsigned.importedInputs.length : 0)
  const more =
    ('stake' in unsigned ? unsigned.stake.length : 0) +
    (unsigned.type === 'ExportTx' ? unsigned.exportedOutputs.length : 0) +
    (unsigned.type === 'ConvertSubnetToL1Tx' ? 3 * unsigned.validators.length : 0)
  const outputs = unsigned.base.outputs.length + more
  const signatures = credentials.reduce((sum, each) => sum + each.signatures.length, 0)
  return BigInt(length + stateAccess * (2 * inputs + outputs + 2) + signature * signatures)
}
