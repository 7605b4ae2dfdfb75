import { clsx } from 'clsx'
import type { Ref } from 'react'
import type { ControlProps } from '../field.tsx'

const FEWEST_LINES = 4

interface JsonBoxProps {
  readonly ids: ControlProps
  readonly value: string
  readonly onChange: (text: string) => void
  /** Line, from 1, at which the text stops being JSON; see `jsonErrorPosition`. */
  readonly marked: number | undefined
  readonly name?: string
  readonly onBlur?: () => void
  readonly ref?: Ref<HTMLTextAreaElement>
}

export function JsonBox({ ids, value, onChange, marked, ...rest }: JsonBoxProps) {
  const lines = value.split('\n').length
  return (
    <div
      className={clsx(
        'border-control bg-surface focus-within:outline-accent flex max-h-80 overflow-y-auto rounded-md border font-mono text-xs leading-5 focus-within:outline-2 focus-within:outline-offset-2 max-md:text-entry max-md:leading-6',
        ids['aria-invalid'] === true && 'border-bad',
      )}
    >
      <LineNumbers count={lines} marked={marked} />
      <textarea
        {...ids}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        rows={Math.max(FEWEST_LINES, lines)}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className="min-h-max min-w-0 grow resize-none overflow-x-auto overflow-y-hidden bg-transparent px-2.5 pt-1.5 pb-4 outline-none"
      />
    </div>
  )
}

function LineNumbers({ count, marked }: { count: number; marked: number | undefined }) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const at = marked === undefined ? count : marked - 1
  return (
    <div
      aria-hidden="true"
      className="bg-subtle text-muted min-h-max shrink-0 px-2 pt-1.5 text-end whitespace-pre tabular-nums select-none"
    >
      {numbers.slice(0, at).map((line) => `${line}\n`)}
      {marked !== undefined && <b className="bg-bad-soft text-bad -mx-2 block px-2">{marked}</b>}
      {numbers.slice(at + 1).map((line) => `${line}\n`)}
    </div>
  )
}
