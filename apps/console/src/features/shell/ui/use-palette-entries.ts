import { can } from '@sluice/contract/capability'
import { useRouteContext } from '@tanstack/react-router'
import { use, startTransition } from 'react'
import { useCommandRegistry } from '~/lib/commands.ts'
import { copyText } from '~/lib/dom/save-file.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts, useI18n } from '~/lib/i18n/i18n.ts'
import { LOCALE_NAMES, LOCALES } from '~/lib/i18n/texts.ts'
import { useUser } from '~/lib/session/session.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { conversationTitles } from '~/lib/storage/conversation-titles.ts'
import { browserStorage } from '~/lib/storage/stored-record.ts'
import { useStore } from '~/lib/store.ts'
import { THEMES, useTheme } from '~/lib/theme.ts'
import { useSuggestions } from '~/ui/combobox/use-suggestions.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { findThings } from '../calls.ts'
import { cachedThings, recentThings, type Thing } from '../model/cached-things.ts'
import { ranked, grouped, type PaletteEntry, type PalettePage } from '../model/fuzzy.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { useNavigation } from './navigation-list.tsx'
import { useGo, useThingEntry } from './use-thing-entry.ts'

/** Shell commands that the palette words itself, and row navigation, which makes no sense in the palette. */
const NOT_HERE = /^(go\.|list\.|palette$|help$)/

const MOST_CONVERSATIONS = 8

export function usePaletteEntries(
  text: string,
  page: PalettePage | undefined,
): { readonly entries: readonly PaletteEntry[]; readonly remark: string } {
  const t = useTexts(paletteTexts)
  const typed = withoutMark(text.trim())
  const entryOf = useThingEntry()
  const here = useHereEntries()
  const pages = usePageEntries()
  const general = useGeneralEntries()
  const conversations = useConversationEntries()
  const found = useFound(page === undefined ? text.trim() : '')
  if (page !== undefined) {
    const entries = ranked(typed, page.entries, textsOf)
    return { entries: grouped(entries), remark: entries.length === 0 ? t.nothing : '' }
  }
  if (typed === '') {
    const recent = recentThings(browserStorage()).map((thing) => entryOf(thing, t.groups.recent))
    return { entries: grouped([...recent, ...here, ...pages, ...general]), remark: '' }
  }
  const things = found.things.map((thing) => entryOf(thing, t.groups.found))
  const said = ranked(typed, conversations, textsOf).slice(0, MOST_CONVERSATIONS)
  const entries = grouped([...ranked(typed, [...here, ...pages, ...general], textsOf), ...things, ...said])
  const none = entries.length === 0 ? t.nothing : ''
  return { entries, remark: { short: none, ready: none, loading: t.searching, failed: t.searchFailed }[found.state] }
}

/** Ids are written as `#7`, which also makes a one-digit id long enough for a search. */
function withoutMark(text: string): string {
  return text.replace(/^#/, '')
}

const textsOf = ({ label, alias }: PaletteEntry) => (alias === undefined ? [label] : [label, alias])

function useHereEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const commands = useStore(useCommandRegistry()).filter(({ id }) => !NOT_HERE.test(id))
  return commands.map(({ id, label, keys, run }) => ({ id, label, keys, run, group: t.groups.here }))
}

function usePageEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const { nav } = useTexts(shellTexts)
  const go = useGo()
  const role = useUser()?.role
  const explain: PaletteEntry = {
    id: 'go.explain',
    label: t.whyThisChannel,
    group: t.groups.pages,
    alias: 'explain routing',
    run: () => go('/channels/explain'),
  }
  const importData: PaletteEntry = {
    id: 'go.import',
    label: t.importData,
    group: t.groups.pages,
    alias: 'import migrate one-api new-api',
    run: () => go('/import'),
  }
  const doctor: PaletteEntry = {
    id: 'go.doctor',
    label: t.doctor,
    group: t.groups.pages,
    alias: 'doctor health diagnose check',
    run: () => go('/doctor'),
  }
  const pages = useNavigation().map(({ id, to, keys }): PaletteEntry => ({
    id: `go.${id}`,
    label: nav[id],
    alias: id,
    keys,
    group: t.groups.pages,
    run: () => go(to),
  }))
  return [
    ...pages,
    ...(can(role, 'channels.manage') ? [explain] : []),
    ...(can(role, 'data.import') ? [importData] : []),
    ...(can(role, 'doctor.examine') ? [doctor] : []),
    { id: 'go.account', label: t.editAccount, group: t.groups.pages, alias: 'account', run: () => go('/users/edit') },
  ]
}

/** Finds things by name or id: those already seen at once, those that the gateway knows when typing pauses. */
function useFound(typed: string) {
  const { queries } = useRouteContext({ from: '__root__' })
  const cache = use(queries.client())
  const call = useCall()
  const role = useUser()?.role
  const answer = useSuggestions(typed, async (text, signal) => {
    const things = await findThings(call, role, withoutMark(text), signal)
    return things?.map(({ kind, id, name }) => ({
      id: `${kind} ${id}`,
      label: name,
      hint: kind,
      thing: { kind, id, name },
    }))
  })
  const fresh = answer.state === 'ready' ? answer.items.map(({ thing }) => thing) : []
  const seen = cachedThings(cache, withoutMark(typed)).filter(
    ({ kind, id }) => !fresh.some((one) => one.kind === kind && one.id === id),
  )
  const things: readonly Thing[] = [...fresh, ...seen]
  return { state: answer.state, things }
}

function useGeneralEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const shell = useTexts(shellTexts)
  const theme = useTheme()
  const { locale } = useI18n()
  const toasts = useToasts()
  const { server_address } = useSystemStatus()
  const group = t.groups.general
  const help = useStore(useCommandRegistry()).find(({ id }) => id === 'help')
  const copyAddress = async () => {
    const address = baseUrlOf(server_address)
    const copied = await copyText(address)
    toasts.show({
      tone: copied ? 'good' : 'info',
      title: copied ? t.copiedBaseAddress : t.copyBaseAddress,
      text: address,
    })
  }
  const themes = THEMES.map((choice) => ({
    id: `theme.${choice}`,
    label: shell.themes[choice],
    group: t.switchTheme,
    alias: choice,
    run: () => theme.set(choice),
  }))
  const languages = LOCALES.map((choice) => ({
    id: `language.${choice}`,
    label: LOCALE_NAMES[choice],
    group: t.switchLanguage,
    run: () => startTransition(() => locale.set(choice)),
  }))
  return [
    { id: 'copy-address', label: t.copyBaseAddress, group, alias: 'base url', run: () => void copyAddress() },
    {
      id: 'theme',
      label: t.switchTheme,
      group,
      alias: 'theme dark light',
      page: { title: t.switchTheme, entries: themes },
    },
    {
      id: 'language',
      label: t.switchLanguage,
      group,
      alias: 'language 语言',
      page: { title: t.switchLanguage, entries: languages },
    },
    ...(help === undefined ? [] : [{ id: help.id, label: help.label, keys: help.keys, group, run: help.run }]),
  ]
}

/** Conversations of the playground, by title. Those without a title contain only pictures, which only the playground can show. */
function useConversationEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const go = useGo()
  const user = useUser()
  const titles = user === undefined ? [] : conversationTitles(browserStorage(), user.id).read()
  return titles
    .filter(({ title }) => title !== '')
    .map(({ id, title }) => ({
      id: `conversation ${id}`,
      label: title,
      hint: t.conversation,
      group: t.groups.found,
      run: () => go('/chat', { conversation: id }),
    }))
}
