/** The payer: the shop needs to know whom to credit. */
export interface Payer {
  readonly id: number
  readonly username: string
}

/**
 * Address of the operator's shop for one payment, or `undefined` when none is configured that a browser may be sent to. Existing
 * parameters of the link stay, unless they have one of our names.
 */
export function paymentAddress(link: string, payer: Payer, transactionId: string): string | undefined {
  const url = URL.parse(link.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.searchParams.set('username', payer.username)
  url.searchParams.set('user_id', String(payer.id))
  url.searchParams.set('transaction_id', transactionId)
  return url.href
}
