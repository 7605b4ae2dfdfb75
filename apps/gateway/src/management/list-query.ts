/** Page (from 0) and order of a list call; '' leaves the order open. */
export interface ListQuery {
  readonly p: number
  readonly size: number
  readonly sort: string
  readonly order: 'asc' | 'desc' | ''
}
