/** Providers that read a name without its dots: https://support.google.com/mail/answer/7436150 */
const DOTLESS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

/**
 * The mailbox that an address leads to, in one spelling: lower case, without what follows a plus sign (RFC 5233), and without the
 * dots that its provider does not read. For comparison only; mail goes to the address as it was written.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const [name = ''] = address.slice(0, at).toLowerCase().split('+')
  const dotless = DOTLESS.get(domain)
  return dotless === undefined ? `${name}@${domain}` : `${name.replaceAll('.', '')}@${dotless}`
}
