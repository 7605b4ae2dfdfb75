/** Shorter parts of a key are words such as a region, which messages may name. */
const SECRET_LENGTH = 8

/** A provider's text without the key of the channel and its parts, in case the provider has sent them back (class S20). */
export function withoutSecret(text: string, key: string): string {
  return key
    .split(/[|\s"]+/)
    .concat(key)
    .filter((part) => part.length >= SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, part) => shown.replaceAll(part, '***'), text)
}
