import { type KeyboardEvent, useId, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { CopyButton } from '../copy-button.tsx'
import { snippet, SNIPPET_LANGUAGES, type SnippetLanguage, type SnippetParts } from './snippets.ts'
import { snippetTexts } from './texts/snippet-texts.ts'

interface SnippetTabsProps {
  readonly parts: SnippetParts
  /** Copied instead of `parts`, which the screen may shorten. */
  readonly copied?: SnippetParts
  /** Name of the group; by default, it is named as a first request. */
  readonly label?: string
}

export function SnippetTabs({ parts, copied = parts, label }: SnippetTabsProps) {
  const t = useTexts(snippetTexts)
  const title = label ?? t.snippets
  const id = useId()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const text = snippet(language, parts)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const count = SNIPPET_LANGUAGES.length
    const next = SNIPPET_LANGUAGES[(SNIPPET_LANGUAGES.indexOf(language) + step + count) % count] ?? language
    setLanguage(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-language="${next}"]`)?.focus()
  }
  return (
    <section aria-label={title}>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <div role="tablist" aria-label={title} tabIndex={-1} onKeyDown={onKeyDown} className="flex gap-1">
          {SNIPPET_LANGUAGES.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              data-language={name}
              aria-selected={name === language}
              aria-controls={id}
              tabIndex={name === language ? 0 : -1}
              onClick={() => setLanguage(name)}
              className="text-muted hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent h-7 rounded-md px-2.5 text-sm font-medium"
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={snippet(language, copied)} label={t.copySnippet} wide />
      </div>
      <pre
        id={id}
        role="tabpanel"
        aria-labelledby={`${id}-${language}`}
        tabIndex={0}
        className="border-line bg-subtle max-h-[70dvh] overflow-auto rounded-md border p-3 font-mono text-xs leading-5"
      >
        {text}
      </pre>
    </section>
  )
}
