import type { Token } from '@sluice/contract/token'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { FIRST_TOKENS, MOST_TOKENS, usableTokenQuery, usableTokensQuery } from '~/features/playground/calls.ts'
import { useCall } from '~/lib/http/call.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { useLink, useLinked } from './setup-controls.ts'

export interface TokenChoice {
  readonly state: 'loading' | 'failed' | 'ready'
  /** Usable tokens, newest first. */
  readonly options: readonly Token[]
  /** Undefined while no token is known or usable. */
  readonly token: Token | undefined
  readonly choose: (id: number) => void
  readonly more: boolean
  readonly lookFurther: () => void
  /** Whether the paying token differs from the one that was chosen before or that the address names. */
  readonly replaced: boolean
  readonly retry: () => void
}

/** An id that no token has. */
const NOBODYS = -1

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.token, v.number())

/** The paying token is the address's, otherwise that of the last visit, otherwise the first. */
export function useTokenChoice(): TokenChoice {
  const call = useCall()
  const link = useLink()
  const [wanted, setWanted] = useState(() => record().read())
  const linking = useLinked(link.token, (id) => {
    setWanted(/^\d{1,9}$/.test(id) ? Number(id) : NOBODYS)
  })
  const [size, setSize] = useState(FIRST_TOKENS)
  const list = useQuery({ ...usableTokensQuery(call, size), placeholderData: keepPreviousData })
  const listed = list.data?.tokens ?? []
  // Only a few tokens are fetched at first, and the wanted one may be further down.
  const elsewhere = useQuery({
    ...usableTokenQuery(call, wanted ?? 0),
    enabled:
      wanted !== undefined && wanted !== NOBODYS && list.data !== undefined && !listed.some(({ id }) => id === wanted),
  })
  const options =
    elsewhere.data == null || listed.some(({ id }) => id === wanted) ? listed : [...listed, elsewhere.data]
  const waiting = linking || list.isPending || elsewhere.isLoading
  const token = waiting ? undefined : (options.find(({ id }) => id === wanted) ?? options[0])
  return {
    state: list.isLoadingError ? 'failed' : waiting ? 'loading' : 'ready',
    options,
    token,
    choose(id) {
      record().write(id)
      setWanted(id)
      link.drop('token')
    },
    more: list.data?.more === true && size < MOST_TOKENS,
    lookFurther: () => setSize(MOST_TOKENS),
    replaced: wanted !== undefined && token !== undefined && token.id !== wanted,
    retry: () => void list.refetch(),
  }
}

export function tokenName({ id, name }: Pick<Token, 'id' | 'name'>): string {
  return name === '' ? `#${id}` : name
}
