import type { Accepted } from '../../edge/exchange.ts'

/** Tells the client which group answered, where its token names groups. A head that was sent before stays as it is. */
export function tellGroup({ replyHeaders }: Pick<Accepted, 'replyHeaders'>, group: string | undefined): void {
  if (group !== undefined) replyHeaders.push('X-Sluice-Group', headerText(group))
}

/** A header holds ASCII; other names are percent-encoded as in an address. */
function headerText(name: string): string {
  return /^[!-~][ -~]*$/.test(name) ? name : encodeURIComponent(name.toWellFormed())
}
