import { clsx } from 'clsx'
import { memo, type ReactNode, useState } from 'react'
import { Block } from './block.tsx'
import { createBlockReader, type MarkdownBlock } from './blocks.ts'

interface MarkdownProps {
  /** If a text begins with the previous one, only its end is read and drawn again. */
  readonly text: string
  /** True while the text is still growing, so that its last block is incomplete. */
  readonly growing?: boolean
  readonly maths?: boolean
  /** Loads pictures from other hosts, for texts by operators; in a model's text they could leak the conversation. */
  readonly pictures?: boolean
  /** Draws blocks of HTML in the text. Must be stable between renders. */
  readonly html?: (html: string) => ReactNode
}

/** More than a window shows; blocks out of sight need not be laid out. */
const MANY_BLOCKS = 24

/** Creates React elements without any HTML, so that nothing in the text can run. */
export function Markdown({ text, growing = false, maths = false, pictures = false, html }: MarkdownProps) {
  const [reader] = useState(() => createBlockReader({ maths }))
  const blocks = reader.read(text)
  const last = blocks.at(-1)
  const long = blocks.length > MANY_BLOCKS
  return (
    <div className={clsx('prose', long && 'skips-unseen')}>
      {blocks.map((block) => (
        <DrawnBlock
          key={block.key}
          block={block}
          complete={!growing || block !== last}
          pictures={pictures}
          html={html}
        />
      ))}
    </div>
  )
}

interface DrawnBlockProps {
  readonly block: MarkdownBlock
  readonly complete: boolean
  readonly pictures: boolean
  readonly html: MarkdownProps['html'] | undefined
}

/** The page's own title is the first level. */
const FIRST_HEADING = 2

const DrawnBlock = memo(
  function DrawnBlock({ block: { token, level }, complete, pictures, html }: DrawnBlockProps) {
    const base = window.location.href
    const heading = Math.min(6, FIRST_HEADING + level)
    return <Block token={token} drawing={{ base, pictures, html, heading, complete, depth: 0 }} />
  },
  (before, after) =>
    before.pictures === after.pictures &&
    before.html === after.html &&
    before.complete === after.complete &&
    isSameBlock(before.block, after.block),
)

/** Whether two versions of a block look alike. A link may have found its target since, which does not change its text. */
function isSameBlock(a: MarkdownBlock, b: MarkdownBlock): boolean {
  if (a === b) return true
  if (a.token.raw !== b.token.raw || a.level !== b.level) return false
  return !a.token.raw.includes('[') || JSON.stringify(a.token) === JSON.stringify(b.token)
}
