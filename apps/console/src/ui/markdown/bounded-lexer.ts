import { Lexer, type Token, type Tokens, type TokensList } from 'marked'

/** Characters that can begin or end emphasis and formulas. The lexer looks for each end through the rest of its paragraph. */
const SIGNS = /[*_~$]|\\[([]/
/** Far more than in any paragraph that a person reads. */
const MOST_SIGNS = 500
/** Maximum nesting of lists and quotes; more than is ever drawn. */
const MOST_LEVELS = 24

/**
 * Leaves input that would hold up the page as plain text: paragraphs of nothing but special characters, and endless nesting. So its
 * time grows linearly with a text and not quadratically (class S27).
 */
export class BoundedLexer extends Lexer {
  #level = 0

  override blockTokens(text: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(text: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(text: string, tokens: Token[] = [], lastParagraphClipped?: boolean): Token[] {
    if (this.#level > MOST_LEVELS) {
      tokens.push(paragraphAsWritten(text))
      return tokens
    }
    this.#level += 1
    try {
      return super.blockTokens(text, tokens, lastParagraphClipped)
    } finally {
      this.#level -= 1
    }
  }

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (!hasTooManySigns(text)) return super.inlineTokens(text, tokens)
    tokens.push(asWritten(text))
    return tokens
  }
}

/** A paragraph in which no character is special. */
export function paragraphAsWritten(text: string): Tokens.Paragraph {
  return { type: 'paragraph', raw: text, text, tokens: [asWritten(text)] }
}

function asWritten(text: string): Tokens.Escape {
  return { type: 'escape', raw: text, text }
}

/** Looks no further than it must. */
function hasTooManySigns(text: string): boolean {
  return text.split(SIGNS, MOST_SIGNS + 2).length > MOST_SIGNS + 1
}
