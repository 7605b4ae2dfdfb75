import type { TextSet } from '../../../lib/i18n/texts.ts'
import { en } from './editor-en.ts'

/** What the parts of the form say that are more than a field: rows, comparison, trial, lists of models. */
export const editorTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./editor-zh-cn.ts')).zhCN,
}
