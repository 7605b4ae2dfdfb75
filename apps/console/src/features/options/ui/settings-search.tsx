import { useSearchKey } from '~/lib/commands/use-search-key.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import { CloseIcon } from '~/ui/sign-icons.tsx'
import { optionTexts } from '../texts/option-texts.ts'

interface SettingsSearchProps {
  readonly text: string
  readonly onText: (text: string) => void
}

export function SettingsSearch({ text, onText }: SettingsSearchProps) {
  const t = useTexts(optionTexts)
  const input = useSearchKey({ id: 'options.search', label: t.searchCommand, group: t.commands })
  return (
    <div role="search" className="relative max-w-80">
      <TextInput
        ref={input}
        type="text"
        enterKeyHint="search"
        aria-label={t.search}
        placeholder={t.search}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onText('')
        }}
      />
      {text !== '' && (
        <span className="absolute inset-y-0 end-0.5 flex items-center">
          <IconButton
            label={t.clearSearch}
            onClick={() => {
              onText('')
              input.current?.focus()
            }}
          >
            <CloseIcon />
          </IconButton>
        </span>
      )}
    </div>
  )
}
