import type { TextSet } from '~/lib/i18n/texts.ts'
import { accessEn } from './access-en.ts'

/** Texts of the sign-in area that the sign-in form itself does not show at once. */
export const accessTexts: TextSet<typeof accessEn> = {
  en: accessEn,
  'zh-CN': async () => (await import('./access-zh-cn.ts')).accessZhCN,
}
