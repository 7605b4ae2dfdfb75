/** Replaces an invisible character. It has the same length, so that positions in the text do not change. */
const SHOWN = '\u{fffd}'

/**
 * A program with its invisible direction marks made visible: with them it reads differently from how it runs
 * (https://trojansource.codes). Copying still gives it as it was written.
 */
export function orderedCode(text: string): string {
  return text.replaceAll(/[\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu, SHOWN)
}

/** The same for prose, which keeps the marks that languages need: only those that reverse letters are removed, as in `moc.live`. */
export function orderedWords(text: string): string {
  return text.replaceAll(/[\u{202d}\u{202e}]/gu, SHOWN)
}
