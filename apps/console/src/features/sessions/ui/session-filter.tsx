import { useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import type { SessionSearch } from '../model/session-search.ts'
import { usageSessionTexts } from '../texts/session-texts.ts'

type Filter = Pick<SessionSearch, 'keyword' | 'username'>

interface SessionFilterProps {
  readonly search: Filter
  /** Whether a user can be named. */
  readonly seesAll: boolean
  readonly onApply: (filter: Filter) => void
}

/** Whose sessions are listed: of one token, of one user. */
export function SessionFilter({ search, seesAll, onApply }: SessionFilterProps) {
  const t = useTexts(usageSessionTexts)
  const [token, setToken] = useState(search.keyword)
  const [username, setUsername] = useState(search.username)
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onApply({ keyword: token.trim(), username: username.trim() })
      }}
    >
      <span className="w-36">
        <TextInput
          aria-label={t.token}
          placeholder={t.token}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </span>
      {seesAll && (
        <span className="w-36">
          <TextInput
            aria-label={t.username}
            placeholder={t.username}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        </span>
      )}
      <Button type="submit">{t.filter}</Button>
    </form>
  )
}
