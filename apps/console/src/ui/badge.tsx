import { clsx } from 'clsx'
import { useTexts } from '../lib/i18n/i18n.ts'
import { uiTexts } from './texts/ui-texts.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'neutral'

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  neutral: 'bg-subtle text-muted',
}
/** A second cue in addition to the colour. */
const SHAPES: Readonly<Record<Tone, string>> = {
  good: 'rounded-full',
  warn: 'rotate-45 rounded-[1px]',
  bad: 'rounded-[1px]',
  neutral: 'rounded-full border-[1.5px] border-current bg-transparent!',
}

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        TONES[tone],
      )}
    >
      <span aria-hidden="true" className={clsx('size-1.5 bg-current', SHAPES[tone])} />
      {children}
    </span>
  )
}

/** Says that a configuration file owns something, which is read-only here; hidden without an owner. */
export function ManagedBadge({ owner }: { owner: string }) {
  const t = useTexts(uiTexts)
  if (owner === '') return null
  return (
    <span data-tip={t.managedWhy(owner)}>
      <Badge tone="neutral">{t.managed}</Badge>
    </span>
  )
}
