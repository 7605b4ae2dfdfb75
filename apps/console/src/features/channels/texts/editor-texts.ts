import type { TextSet } from '~/lib/i18n/texts.ts'
import { en } from './editor-en.ts'

/** Texts of the parts of the form that are more than a field: rows, comparison, test, lists of models. */
export const editorTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./editor-zh-cn.ts')).zhCN,
}
