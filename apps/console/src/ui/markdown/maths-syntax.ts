import { Hooks, type MarkedOptions, Tokenizer, type Tokens } from 'marked'

export interface MathsToken {
  readonly type: 'maths'
  readonly raw: string
  /** TeX without its delimiters. */
  readonly text: string
  readonly display: boolean
  /** False while the end is missing; the formula is then shown as written. */
  readonly closed: boolean
}

/** End of a display formula, or a blank line, which the formula must not cross. */
const DOLLARS_OR_BLANK = /\$\$|\n[ \t]*\n/
const BRACKET_OR_BLANK = /\\\]|\n[ \t]*\n/
const BLOCK_START = /^ {0,3}(?:\$\$|\\\[)/
/** Closed formulas within a text: `$$…$$`, `\[…\]`, `\(…\)`; none of them contains a blank line. */
const EXPLICIT =
  /^(?:\$\$((?:(?!\$\$|\n[ \t]*\n)[^])+)\$\$|\\\[((?:(?!\\\]|\n[ \t]*\n)[^])+)\\\]|\\\(((?:(?!\\\)|\n[ \t]*\n)[^])+)\\\))/
/** `$…$` without a space inside its ends or a letter or digit after them: `$5 and $10` is not a formula. */
const DOLLARS = /^\$((?![\s$])(?:\\[^\n]|[^\\$`\n])*?)(?<!\s)\$(?![\w$])/
/** Amounts with words between them, such as "$5, or US$". */
const AMOUNT = /^\d[^\\^_={}+<>*\s]*\s[^\\^_={}+<>*]*$/

function mathsAt(text: string): MathsToken | undefined {
  const explicit = EXPLICIT.exec(text)
  if (explicit !== null) {
    const [raw, dollars, brackets, parentheses] = explicit
    const tex = (dollars ?? brackets ?? parentheses ?? '').trim()
    return { type: 'maths', raw, text: tex, display: parentheses === undefined, closed: true }
  }
  const [raw, tex = ''] = DOLLARS.exec(text) ?? []
  if (raw === undefined || tex === '' || AMOUNT.test(tex)) return undefined
  return { type: 'maths', raw, text: tex, display: false, closed: true }
}

/** Position of the first character that can begin a formula. A `$` after a letter or digit cannot, as in "US$5". */
function mathsStart(text: string): number | undefined {
  if (!text.includes('$') && !text.includes('\\')) return undefined
  const found = /(?<![\w$\\])\$|\\[([]/.exec(text)
  return found?.index
}

/**
 * A formula on lines of its own. An unclosed one extends to a blank line or the end, so that it is not read as headings and lists.
 */
function mathsBlockAt(text: string): MathsToken | undefined {
  const start = BLOCK_START.exec(text)
  if (start === null) return undefined
  const [opening] = start
  // The search stops at the first of the two, because a text can be full of openings that are never closed.
  const found = (opening.endsWith('$') ? DOLLARS_OR_BLANK : BRACKET_OR_BLANK).exec(text.slice(opening.length))
  if (found === null) {
    return { type: 'maths', raw: text, text: text.slice(opening.length), display: true, closed: false }
  }
  if (found[0].startsWith('\n')) return undefined
  const end = opening.length + found.index
  const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(end + 2))
  const tex = text.slice(opening.length, end).trim()
  if (rest === null || tex === '') return undefined
  return { type: 'maths', raw: text.slice(0, end + 2 + rest[0].length), text: tex, display: true, closed: true }
}

/** Position of the first display formula that ends a paragraph. After a blank line, a formula would begin a block of its own. */
function mathsBlockStart(text: string): number | undefined {
  const found = /\n(?: {0,3}(?:\$\$|\\\[)|[ \t]*\n)/.exec(text)
  return found === null || found[0].endsWith('\n') ? undefined : found.index + 1
}

/** Hides formulas from emphasis, which `$a*b$ and $c*d$` must not contain. */
class MathsHooks extends Hooks {
  override emStrongMask(text: string): string {
    let masked = ''
    let rest = text
    for (let at = mathsStart(rest); at !== undefined; at = mathsStart(rest)) {
      const length = mathsAt(rest.slice(at))?.raw.length ?? 1
      masked += rest.slice(0, at) + 'a'.repeat(length)
      rest = rest.slice(at + length)
    }
    return masked + rest
  }
}

/** Multi-line underlined headings end before a formula, as paragraphs do. */
class MathsTokenizer extends Tokenizer {
  override lheading(text: string): Tokens.Heading | undefined {
    return super.lheading(text.slice(0, mathsBlockStart(text)))
  }
}

const generic = (token: MathsToken | undefined): Tokens.Generic | undefined => token && { ...token }

export function mathsOptions(): Pick<MarkedOptions, 'extensions' | 'hooks' | 'tokenizer'> {
  return {
    hooks: new MathsHooks(),
    tokenizer: new MathsTokenizer(),
    extensions: {
      renderers: {},
      childTokens: {},
      block: [(text) => generic(mathsBlockAt(text))],
      startBlock: [(text) => mathsBlockStart(text)],
      inline: [(text) => generic(mathsAt(text))],
      startInline: [(text) => mathsStart(text)],
    },
  }
}
