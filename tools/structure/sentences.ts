import { parseAst } from 'rolldown/parseAst'
import { isNode, walkTree } from '../syntax-tree.ts'

/** Sentences in a source's comments and docstrings; lines of one comment are joined. */
export function commentSentences(source: string): readonly string[] {
  const blocks = [...source.matchAll(/(?<=^|\s)\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|[ \t]\/\/ .*/gm)]
  return blocks.flatMap(([block]) => {
    const text = block.replaceAll(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/)|\*\/$/gm, ' ')
    return /^\s*(?:oxlint|@ts|biome|prettier)/.test(text) ? [] : splitSentences(text)
  })
}

/** Sentences in a source's string and template literals; what a template inserts is `…`. */
export function literalSentences(source: string): readonly string[] {
  const found: string[] = []
  walkTree(parseAst(source, { lang: 'ts' }), (node) => {
    if (node['type'] === 'Literal' && typeof node['value'] === 'string') found.push(node['value'])
    if (node['type'] === 'TemplateLiteral' && Array.isArray(node['quasis'])) {
      const parts: readonly unknown[] = node['quasis']
      found.push(parts.map((part) => (isNode(part) && isNode(part['value']) ? part['value']['cooked'] : '')).join('…'))
    }
  })
  return found.filter(isProse).flatMap(splitSentences)
}

/** Sentences of a Markdown page: paragraphs, list items and table cells, without headings and code. */
export function pageSentences(page: string): readonly string[] {
  const prose = page
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/^(?:#.*|!\[.*|\|[-| :]+)$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^(?:[-*>]|\d+\.) /gm, '\n')
    .replaceAll(/ ?\|(?: |$)/gm, '\n\n')
  return prose.split(/\n\s*\n/).flatMap(splitSentences)
}

/** Four words or more: fewer are a name or a label. */
function splitSentences(text: string): readonly string[] {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?][)”"'`*]*) (?=[A-Z`“"*])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 4)
}

/** Not a query, selector, header or piece of code, judging by its form. */
function isProse(text: string): boolean {
  const words = text.match(/(?<![\w$"'.#/-])[A-Za-z]?[a-z]{2,}(?![\w$"'#/(=-])/g) ?? []
  const isCode =
    /^\s*[<{(]|[{};=]\s*$|=>|\b(?:select|insert|update|delete|create|with|case|coalesce|where|sum)\b.*(?: as |[=(*]| then )/is.test(
      text,
    )
  return !isCode && words.length >= 3 && !/[\u4e00-\u9fff]/.test(text)
}
