/** Base64 turns them into a third more characters. */
const RANDOM_BYTES = 12

/** A password of 16 characters, safe in addresses and chats; `fill` puts random bytes into the array and returns it. */
export function generatedPassword(fill: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  const text = String.fromCharCode(...fill(new Uint8Array(RANDOM_BYTES)))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_')
}
