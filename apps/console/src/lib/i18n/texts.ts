/** English is the source; every other catalogue must match it key for key. */
export const LOCALES = ['en', 'zh-CN'] as const
export type Locale = (typeof LOCALES)[number]

export const LOCALE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', 'zh-CN': '简体中文' }

type Message = string | ((...values: never[]) => string)
export interface Catalogue {
  readonly [key: string]: Message | Catalogue
}

/** The same keys and parameters. A missing or extra key fails the type check. */
export type Translation<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer A) => string
    ? (...values: A) => string
    : T[K] extends string
      ? string
      : Translation<T[K]>
}

/** The texts of one area. English is in the area's own chunk; each translation is in a chunk that loads when chosen. */
export interface TextSet<T extends Catalogue> {
  readonly en: T
  readonly 'zh-CN': () => Promise<Translation<T>>
}
