import { useState } from 'react'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useToasts } from '~/ui/toast/toasts.ts'

interface NumberCellProps {
  readonly label: string
  readonly value: number
  /** Smallest number that is accepted. */
  readonly min?: number
  /** Saves and shows the outcome itself. */
  readonly onSave: (value: number) => void
}

/** A whole number that is edited in place: Enter or leaving the field saves, Escape reverts. */
export function NumberCell({ label, value, min, onSave }: NumberCellProps) {
  const t = useTexts(channelTexts)
  const toasts = useToasts()
  const [typed, setTyped] = useState<string>()
  const finish = () => {
    setTyped(undefined)
    if (typed === undefined || typed.trim() === String(value)) return
    const number = Number(typed)
    const isTaken = typed.trim() !== '' && Number.isInteger(number) && number >= (min ?? -LARGEST) && number <= LARGEST
    if (isTaken) onSave(number)
    else toasts.show({ tone: 'bad', title: t.numberFailed, text: t.wholeNumber })
  }
  return (
    <input
      type="text"
      inputMode="numeric"
      aria-label={label}
      value={typed ?? String(value)}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setTyped(undefined)
      }}
      className="hover:border-control h-7 w-full min-w-0 rounded-md border border-transparent bg-transparent px-1.5 text-end text-sm tabular-nums focus-visible:-outline-offset-2 max-md:h-9"
    />
  )
}

/** The range of the gateway's columns. */
const LARGEST = 2_147_483_647
