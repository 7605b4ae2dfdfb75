import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  view: (field: string) => `View of ${field}`,
  rows: 'Rows',
  json: 'JSON',
  onlyJson: 'This value cannot be shown as rows; edit it as JSON.',
  addModel: 'Add a model',
  addMapping: 'Add a name',
  remove: (name: string) => `Remove ${name}`,
  emptyRow: 'empty row',
  model: 'Model',
  ratio: 'Ratio',
  completionRatio: 'Completion ratio',
  maxTokens: 'Max tokens',
  requested: 'Requested name',
  upstream: 'Name at the provider',
  moreSettings: (count: string) => `+${count} in JSON`,
  price: (input: string, output: string) => `$${input} in · $${output} out per million tokens`,
  repeated: (name: string) => `"${name}" is in several rows; only the last one is saved.`,
  noConfigs: 'No model has its own price, so the price book applies.',
  noMappings: 'Every model is requested under its own name.',

  changesTitle: 'Changes to be saved',
  change: 'change',
  changeMany: 'changes',
  empty: 'empty',
  newKey: 'is replaced',

  testConnection: 'Test connection',
  testModel: 'Model to test',
  cheapest: 'CHEAPEST',
  testRunning: 'Testing the connection with the values in the form…',
  testInvalid: 'Correct the marked fields before testing the connection.',
  answered: (model: string, time: string) => `${model} answered in ${time}`,
  saidAs: (text: string) => `: “${text}”`,
  testTimeout: 'No answer within 10 seconds.',
  notSaved: 'Nothing was saved.',

  fetchModels: 'Fetch from provider',
  fetchFailed: 'Models not fetched',
  fetchedTitle: 'Models of the provider',
  filter: 'Filter models',
  fetchedCount: (shown: string, all: string) => `${shown} of ${all}`,
  chooseShown: 'Choose all shown',
  chooseNone: 'Choose none',
  gone: (count: string) => `Configured in this channel, but not offered by the provider (${count}):`,
  useChosen: (count: string) => `Use ${count} models`,
  noneOffered: 'The provider does not list any models.',
}

/** Texts of the parts of the form that are more than a field: rows, comparison, test, lists of models. */
export const editorTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./editor-zh-cn.ts')).zhCN,
}
