import { functionsOf } from './known.ts'

const callMethod = /"callType":"CONTRACT_CALL","methodHash":"(0x[0-9a-f]{8})"/g

/**
 * Puts the signature of each known method into the JSON of transactions, as the store writes it. All
 * foreign text in it is hex, so that the pattern can't stand anywhere else.
 */
export function nameMethods(json: string): string {
  return json.replace(callMethod, (text, selector: string) => {
    const [known] = functionsOf(selector)
    return known ? `${text},"methodName":"${known.signature}"` : text
  })
}
