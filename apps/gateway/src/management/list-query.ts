/** What a list call names of its page, from 0, and its order; '' leaves the order open. */
export interface ListQuery {
  readonly p: number
  readonly size: number
  readonly sort: string
  readonly order: 'asc' | 'desc' | ''
}
