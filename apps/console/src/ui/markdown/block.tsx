import type { Token, Tokens } from 'marked'
import { createElement, memo, type ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { CopyButton } from '../copy-button.tsx'
import { type MarkdownToken, plain } from './blocks.ts'
import { HighlightedCode } from './highlighted-code.tsx'
import { DEEPEST, type Drawing, Formula, Inline, orderedCode } from './inline.tsx'
import { markdownTexts } from './texts/markdown-texts.ts'

export function Block({ token, drawing }: { token: MarkdownToken; drawing: Drawing }): ReactNode {
  const inner: Drawing = { ...drawing, depth: drawing.depth + 1 }
  if (inner.depth > DEEPEST) return <p>{token.raw}</p>
  switch (token.type) {
    case 'heading':
      return createElement(`h${drawing.heading}`, null, <Inline tokens={token.tokens} drawing={inner} />)
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} drawing={inner} />
        </p>
      )
    case 'code':
      return <Code token={token} complete={drawing.complete} />
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} drawing={below(inner)} />
        </blockquote>
      )
    case 'list':
      return <List token={token} drawing={below(inner)} />
    case 'table':
      return <Table token={token} drawing={inner} />
    case 'hr':
      return <hr />
    case 'html':
      return htmlBlock(token.text, drawing)
    case 'maths':
      return token.closed ? (
        <Formula token={token} complete={drawing.complete} />
      ) : (
        <p className="whitespace-pre-wrap">{token.raw}</p>
      )
    case 'space':
    case 'def':
      return null
    default:
      return <Inline tokens={[token]} drawing={inner} />
  }
}

/** Headings in a nested block are one level lower. */
function below(drawing: Drawing): Drawing {
  return { ...drawing, heading: Math.min(6, drawing.heading + 1) }
}

function Blocks({ tokens, drawing }: { tokens: readonly Token[]; drawing: Drawing }): ReactNode {
  return plain(tokens).map((token, index) => (
    <Block key={index} token={token} drawing={index < tokens.length - 1 ? { ...drawing, complete: true } : drawing} />
  ))
}

/** Highlighted once complete, if a highlighter is available; `math` blocks are formulas. */
function Code({ token, complete }: { token: Tokens.Code; complete: boolean }) {
  const language = /^[^\s{]*/.exec(token.lang ?? '')?.[0] ?? ''
  const shown = orderedCode(token.text)
  return (
    <CodeBlock text={token.text} language={language}>
      {complete && language !== '' ? <HighlightedCode text={shown} language={language} /> : shown}
    </CodeBlock>
  )
}

function htmlBlock(text: string, { html }: Drawing): ReactNode {
  if (/^\s*<!--[^]*-->\s*$/.test(text)) return null
  return html === undefined ? <p className="whitespace-pre-wrap">{text}</p> : html(text)
}

function List({ token, drawing }: { token: Tokens.List; drawing: Drawing }) {
  const last = token.items.length - 1
  const items = token.items.map((item, index) => (
    <ListItem key={index} item={item} drawing={index < last ? { ...drawing, complete: true } : drawing} />
  ))
  if (!token.ordered) return <ul>{items}</ul>
  return <ol start={token.start === '' ? 1 : token.start}>{items}</ol>
}

interface ListItemProps {
  readonly item: Tokens.ListItem
  readonly drawing: Drawing
}

/** In a growing list only the last item is redrawn. */
const ListItem = memo(
  function ListItem({ item, drawing }: ListItemProps) {
    return (
      <li className={item.task ? 'list-none' : undefined}>
        <Blocks tokens={item.tokens} drawing={drawing} />
      </li>
    )
  },
  (before, after) =>
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose &&
    // A link may have found its target since, which does not change the item's text.
    !before.item.raw.includes('[') &&
    (Object.keys(after.drawing) as (keyof Drawing)[]).every((key) => before.drawing[key] === after.drawing[key]),
)

const ALIGNED = { left: 'text-start', right: 'text-end', center: 'text-center' } as const

/** Scrolls within itself, never the page. */
function Table({ token, drawing }: { token: Tokens.Table; drawing: Drawing }) {
  const t = useTexts(markdownTexts)
  const cell = (Cell: 'th' | 'td', { tokens, align }: Tokens.TableCell, index: number) => (
    <Cell key={index} className={align === null ? undefined : ALIGNED[align]}>
      <Inline tokens={tokens} drawing={drawing} />
    </Cell>
  )
  return (
    <div role="group" aria-label={t.table} tabIndex={0} className="overflow-x-auto">
      <table>
        <thead>
          <tr>{token.header.map((header, index) => cell('th', header, index))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>{row.map((each, at) => cell('td', each, at))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CodeBlockProps {
  readonly text: string
  /** As named by the author; shown, never acted on. */
  readonly language?: string
  readonly children?: ReactNode
}

function CodeBlock({ text, language = '', children }: CodeBlockProps) {
  const t = useTexts(markdownTexts)
  return (
    <div className="border-line bg-subtle overflow-hidden rounded-md border">
      <div className="border-line flex items-center justify-between gap-2 border-b py-0.5 ps-3 pe-1">
        <span className="text-muted truncate font-mono text-xs">{language}</span>
        <CopyButton text={text} label={t.copyCode} shownFor={2_000} />
      </div>
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2">
        <code>{children || text}</code>
      </pre>
    </div>
  )
}
