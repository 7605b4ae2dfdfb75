import { memo, useEffect, useState } from 'react'
import type { CodeKind, CodeRun } from './typeset/colouring.ts'
import { useTypeset } from './typeset/use-typeset.ts'

/** Readable on the code background in both themes; where it matters, words differ in more than colour. */
const LOOKS: Readonly<Record<CodeKind, string>> = {
  comment: 'text-muted italic',
  keyword: 'text-accent',
  string: 'text-good',
  number: 'text-warn',
  name: 'font-semibold',
  added: 'text-good',
  removed: 'text-bad',
}

const AT_ONCE = 250

interface HighlightedCodeProps {
  readonly language: string
  readonly text: string
}

/** Colours a complete program part by part, so that long ones do not block the page. */
export function HighlightedCode({ language, text }: HighlightedCodeProps) {
  const typeset = useTypeset({ kind: 'code', language, text })
  const parts = typeset?.kind === 'code' ? partsOf(typeset.runs) : []
  const [shown, setShown] = useState(1)
  useEffect(() => {
    if (shown >= parts.length) return
    const frame = requestAnimationFrame(() => setShown(shown + 1))
    return () => cancelAnimationFrame(frame)
  }, [shown, parts.length])
  const coloured = parts.slice(0, shown)
  return (
    <>
      {coloured.map(({ at, length, runs }) => (
        <ColouredPart key={at} text={text.slice(at, at + length)} runs={runs} />
      ))}
      {text.slice(coloured.reduce((sum, { length }) => sum + length, 0))}
    </>
  )
}

interface CodePart {
  readonly at: number
  readonly length: number
  readonly runs: readonly CodeRun[]
}

function partsOf(runs: readonly CodeRun[]): readonly CodePart[] {
  const parts: CodePart[] = []
  let at = 0
  for (let first = 0; first < runs.length; first += AT_ONCE) {
    const some = runs.slice(first, first + AT_ONCE)
    const length = some.reduce((sum, [size]) => sum + size, 0)
    parts.push({ at, length, runs: some })
    at += length
  }
  return parts
}

const ColouredPart = memo(
  function ColouredPart({ text, runs }: { text: string; runs: readonly CodeRun[] }) {
    let at = 0
    return runs.map(([length, kind], index) => {
      const piece = text.slice(at, at + length)
      at += length
      return kind === '' ? (
        piece
      ) : (
        <span key={index} className={LOOKS[kind]}>
          {piece}
        </span>
      )
    })
  },
  (before, after) => before.text === after.text,
)
