import type { CatalogueEntry } from './catalogue-entry.ts'

export const CONFIGURATION_ERRORS = {
  owned_by_file: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: '{what} is managed by the configuration file "{owner}": change it there, or release it with "sluice config release".',
    chinese: '{what} 由配置文件“{owner}”管理：请在该文件中修改，或用“sluice config release”将其交还。',
  },
  configuration_invalid: {
    status: 400,
    type: 'invalid_request_error',
    retry: 'changed',
    text: '{problems}',
    chinese: '配置文件有误：{problems}',
  },
  configuration_stale: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: 'The configuration has changed since this plan was made. Make a new plan.',
    chinese: '自生成计划以来，配置已发生变化，请重新生成计划。',
  },
  configuration_superseded: {
    status: 409,
    type: 'invalid_request_error',
    retry: 'changed',
    management: true,
    text: 'Revision {applied} of the configuration file "{owner}" has already been applied, and this file has revision {revision}. Give it a higher revision.',
    chinese: '配置文件“{owner}”的修订版 {applied} 已应用，而当前为修订版 {revision}：请为文件设置更高的修订号。',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>
