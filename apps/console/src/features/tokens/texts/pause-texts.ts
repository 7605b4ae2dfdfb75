import type { TextSet } from '~/lib/i18n/texts.ts'

/** Texts of what rules of tokens have paused. */
export const en = {
  title: 'Paused by a rule',
  session: (token: string, amount: string) =>
    `${token}: a session has used ${amount}, which is what the token allows it`,
  loop: (token: string) => `${token}: the same request came too often, which looks like a loop`,
  until: (time: string) => `until ${time}`,
  release: 'Release',
  releaseOf: (token: string) => `Release what ${token} has paused`,
  released: 'Released',
  releaseFailed: 'It could not be released',
}

export const pauseTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./pause-zh-cn.ts')).zhCN,
}
