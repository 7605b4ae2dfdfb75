import { createContext, use, useContext } from 'react'
import { STORAGE_KEYS } from '../storage/keys.ts'
import type { KeyValueStorage } from '../storage/stored-record.ts'
import { createStore, type Store, useStore } from '../store.ts'
import { type Catalogue, type Locale, LOCALES, type TextSet, type Translation } from './texts.ts'

export interface I18n {
  readonly locale: Store<Locale>
  /** Translations that are loaded or loading; each set is fetched only once. */
  readonly loaded: Map<TextSet<Catalogue>, Promise<unknown>>
}

export function createI18n(storage: KeyValueStorage, root: HTMLElement, preferred: readonly string[]): I18n {
  const store = createStore(initialLocale(storage.getItem(STORAGE_KEYS.locale), preferred))
  root.lang = store.get()
  return {
    loaded: new Map(),
    locale: {
      get: store.get,
      subscribe: store.subscribe,
      set(locale) {
        storage.setItem(STORAGE_KEYS.locale, locale)
        root.lang = locale
        store.set(locale)
      },
    },
  }
}

/** The stored choice, otherwise the first preferred language that is offered, otherwise English. */
export function initialLocale(stored: string | null, preferred: readonly string[]): Locale {
  const chosen = LOCALES.find((locale) => locale === stored)
  if (chosen !== undefined) return chosen
  for (const language of preferred) {
    if (language.toLowerCase().startsWith('zh')) return 'zh-CN'
    if (language.toLowerCase().startsWith('en')) return 'en'
  }
  return 'en'
}

export const I18nContext = createContext<I18n | undefined>(undefined)

export function useI18n(): I18n {
  const i18n = useContext(I18nContext)
  if (i18n === undefined) throw new Error('useI18n needs an I18nContext above it')
  return i18n
}

export function useLocale(): Locale {
  return useStore(useI18n().locale)
}

/** Suspends while a translation is loading. */
export function useTexts<T extends Catalogue>(set: TextSet<T>): Translation<T> {
  const i18n = useI18n()
  const locale = useStore(i18n.locale)
  // English satisfies its own translation type, which TypeScript cannot prove for an open T.
  if (locale === 'en') return set.en as unknown as Translation<T>
  return translationOf(i18n, set)
}

function translationOf<T extends Catalogue>(i18n: I18n, set: TextSet<T>): Translation<T> {
  const translation = i18n.loaded.get(set) ?? set['zh-CN']()
  i18n.loaded.set(set, translation)
  // Called even after the translation has arrived: React resumes a component that waited in `use` at that very call, and would
  // otherwise re-render everything. The map is keyed by the set, so this is what `set` loaded.
  return use(translation) as Translation<T>
}
