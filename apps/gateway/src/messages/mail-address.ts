const ADDRESS_MAX = 254

/**
 * One plain address, as a mail server takes it: `local@domain`, printable ASCII (the domain can be Unicode), no comment, no list,
 * no display name. What passes cannot end a header or an SMTP command, nor name a second recipient.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > ADDRESS_MAX) return false
  return /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(text)
}
