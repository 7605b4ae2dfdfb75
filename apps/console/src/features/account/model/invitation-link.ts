/** The link that carries an invitation code to the registration form. `serverAddress` is the public one, if it is set. */
export function invitationLink(serverAddress: string, origin: string, code: string): string {
  const base = (serverAddress === '' ? origin : serverAddress).replace(/\/+$/, '')
  return `${base}/register?aff=${encodeURIComponent(code)}`
}
