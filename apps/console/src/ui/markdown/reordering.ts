/** Where a sign stood that nobody sees. As long as the sign, so that places in the text stay. */
const SHOWN = '\u{fffd}'

/**
 * A program with its invisible signs of direction made visible: with them it reads otherwise than it runs
 * (https://trojansource.codes). Copying still gives it as it was written.
 */
export function orderedCode(text: string): string {
  return text.replaceAll(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, SHOWN)
}

/** The same of words, which keep the signs that languages need: only those go that turn letters around, as in `moc.live`. */
export function orderedWords(text: string): string {
  return text.replaceAll(/[\u{202d}\u{202e}]/gu, SHOWN)
}
