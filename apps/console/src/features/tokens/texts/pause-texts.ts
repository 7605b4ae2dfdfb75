import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Paused by a rule',
  session: (token: string, amount: string) => `${token}: a session has used ${amount}, its limit on this token`,
  loop: (token: string) => `${token}: the same request was sent too often, which looks like a loop`,
  until: (time: string) => `until ${time}`,
  release: 'Release',
  releaseOf: (token: string) => `Release the pause of ${token}`,
  released: 'Released',
  releaseFailed: 'It could not be released',
}

export const pauseTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./pause-zh-cn.ts')).zhCN,
}
