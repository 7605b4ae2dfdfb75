import type { TextSet, Translation } from '~/lib/i18n/texts.ts'

export const en = {
  /** For failures without any message. */
  send: 'Failed to send message',
  regenerate: 'Failed to regenerate message',
  noBody: 'No response body',
  streamError: 'Stream error',
  broken: 'The connection was lost before the reply was complete.',
  cut: 'The stream ended before the reply was complete.',
  silent: (minutes: string) => `Nothing arrived for ${minutes} minutes, so the reply was stopped.`,
  tooLong: (characters: string) =>
    `The reply was stopped at ${characters} characters, the maximum that can be shown here.`,
  unreadable: 'A part of the reply could not be read.',
}

export type FailureTexts = Translation<typeof en>

export const failuresTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./failures-zh-cn.ts')).zhCN,
}
