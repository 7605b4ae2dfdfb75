/** The page, from 0, and the order that a list call requests; '' leaves the order open. */
export interface ListQuery {
  readonly p: number
  readonly size: number
  readonly sort: string
  readonly order: 'asc' | 'desc' | ''
}
