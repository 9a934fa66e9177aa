/** A page of the dashboard with its expected heading and title; a pattern must match the whole title. */
export type PageOfDashboard = {
  readonly name: string
  readonly path: string
  readonly title: string | RegExp
  readonly heading: string | RegExp
}
