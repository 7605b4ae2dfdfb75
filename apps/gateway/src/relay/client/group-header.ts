import type { Accepted } from '../../edge/exchange.ts'

/** Tells the client which group answered, if its token has groups. A head that has already been sent is not changed. */
export function tellGroup({ replyHeaders }: Pick<Accepted, 'replyHeaders'>, group: string | undefined): void {
  if (group !== undefined) replyHeaders.push('X-Sluice-Group', headerText(group))
}

/** Headers are ASCII; other names are percent-encoded as in a URL. */
function headerText(name: string): string {
  return /^[!-~][ -~]*$/.test(name) ? name : encodeURIComponent(name.toWellFormed())
}
