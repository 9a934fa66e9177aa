/** What a channel is told: everything that a body needs, so that it is the same at every attempt. */
export type Message = {
  readonly event: 'firing' | 'repeat' | 'resolved' | 'test'
  readonly alarmId: string
  readonly title: string
  readonly text: string
  readonly severity: string
  readonly kind: string
  readonly ruleId: string
  readonly ruleName: string
  readonly fleetId?: string
  readonly fleetName?: string
  readonly network?: string
  readonly subject: {
    readonly kind: string
    readonly id: string
    readonly name?: string
    readonly nodeId?: string
  }
  readonly unit: string
  readonly value?: number
  readonly threshold?: number
  /** Unix seconds. */
  readonly timestamp: number
}
