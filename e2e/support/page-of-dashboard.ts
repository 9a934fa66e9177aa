/** A page of the dashboard and what it must call itself; a pattern of the title sees all of it. */
export type PageOfDashboard = {
  readonly name: string
  readonly path: string
  readonly title: string | RegExp
  readonly heading: string | RegExp
}
