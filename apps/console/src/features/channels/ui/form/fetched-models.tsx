import { useState } from 'react'
import { editorTexts } from '~/features/channels/texts/editor-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { matchingOptions } from '~/ui/combobox/use-listbox.ts'
import { Dialog } from '~/ui/dialog.tsx'
import { Checkbox, TextInput } from '~/ui/field.tsx'

interface FetchedModelsProps {
  readonly offered: readonly string[]
  /** Models of the channel. Those that the provider does not list stay in place unless the user removes them. */
  readonly chosen: readonly string[]
  readonly onChoose: (models: string[]) => void
  readonly onClose: () => void
}

export function FetchedModels({ offered, chosen, onChoose, onClose }: FetchedModelsProps) {
  const t = useTexts(editorTexts)
  const [text, setText] = useState('')
  const [wanted, setWanted] = useState<ReadonlySet<string>>(() => new Set(chosen))
  const shown = matchingOptions(offered, text)
  const gone = chosen.filter((name) => !offered.includes(name))
  const set = (names: readonly string[], on: boolean) => {
    const next = new Set(wanted)
    for (const name of names) {
      if (on) next.add(name)
      else next.delete(name)
    }
    setWanted(next)
  }
  return (
    <Dialog
      title={t.fetchedTitle}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          onClick={() => {
            onChoose([...wanted])
            onClose()
          }}
        >
          {t.useChosen(formatCount(wanted.size))}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <TextInput
          data-first-focus
          type="search"
          aria-label={t.filter}
          placeholder={t.filter}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex flex-wrap items-center gap-2">
          <span role="status" className="text-muted grow text-xs tabular-nums">
            {t.fetchedCount(formatCount(shown.length), formatCount(offered.length))}
          </span>
          <Button size="small" variant="ghost" onClick={() => set(shown, true)}>
            {t.chooseShown}
          </Button>
          <Button size="small" variant="ghost" onClick={() => setWanted(new Set())}>
            {t.chooseNone}
          </Button>
        </div>
        {gone.length > 0 && (
          <div className="bg-warn-soft text-warn rounded-md px-3 py-2 text-sm">
            <p>{t.gone(formatCount(gone.length))}</p>
            <Choices names={gone} wanted={wanted} onSet={set} />
          </div>
        )}
        <div className="max-h-80 overflow-y-auto">
          <Choices names={shown} wanted={wanted} onSet={set} />
        </div>
      </div>
    </Dialog>
  )
}

interface ChoicesProps {
  readonly names: readonly string[]
  readonly wanted: ReadonlySet<string>
  readonly onSet: (names: readonly string[], on: boolean) => void
}

function Choices({ names, wanted, onSet }: ChoicesProps) {
  return (
    <ul className="wrap-anywhere">
      {names.map((name) => (
        <li key={name}>
          <Checkbox label={name} checked={wanted.has(name)} onChange={(event) => onSet([name], event.target.checked)} />
        </li>
      ))}
    </ul>
  )
}
