/** How a text of the operators is interpreted: an address to embed, HTML, or markdown. */
export type ContentKind = 'empty' | 'page' | 'html' | 'markdown'

/** An https address alone is a page; a text that begins with a tag is HTML; everything else is markdown. */
export function contentKind(text: string): ContentKind {
  const trimmed = text.trim()
  if (trimmed === '') return 'empty'
  if (isPageAddress(trimmed)) return 'page'
  return /^<(!doctype|!--|[a-z][a-z\d]*[\s/>])/i.test(trimmed) ? 'html' : 'markdown'
}

function isPageAddress(text: string): boolean {
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text)
}
