/** The end of a sentence or a line, with closing punctuation. */
const END = /[.!?…][)\]"'”’»]*\s|[。！？]|\n/g

/** Where the last complete sentence in `text` ends; `from` when none has been completed since. */
export function endOfSentences(text: string, from: number): number {
  let end = from
  for (const match of text.slice(from).matchAll(END)) end = from + match.index + match[0].length
  return end
}

/** Markdown as it should be read aloud: without its markup, a link by its name. */
export function spoken(markdown: string): string {
  return (
    markdown
      // Each mark ends the search for the one before it: a text can be full of openings that are never closed.
      .replaceAll(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)?\)/g, '$1')
      .replaceAll(/^[ \t]*(?:[#>]+|[-*+]|(?:\|[ \t]*)?:?-+:?[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)*)[ \t]*/gm, '')
      .replaceAll(/[*_`|]+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}
